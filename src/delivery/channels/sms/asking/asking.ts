/** Asks a provider, with a token where its file fetches one first. */
import type { Client, OutboundAnswer, OutboundRequest } from '../../../../outbound/client.ts'
import type { MessageValues } from '../template.ts'
import type { Tokens } from './token.ts'

interface Asked {
  question: OutboundRequest
  answer: OutboundAnswer
  /** What the answer could repeat. */
  token: string | undefined
}

export interface AskingParts {
  client: Client
  tokens: Tokens | undefined
  /** Milliseconds from the beginning after which a message is not tried once more. */
  againMs: number
  now: () => Date
}

/** `unfit`: the request cannot be made. `down`: the provider gives no token. */
export type AskedProvider = Asked | 'unfit' | { kind: 'down' | 'retry'; reason: string }

/**
 * @param isRefused whether what was sent was surely not taken: then another token is fetched, once
 * @throws AskFault
 */
export function createAsking({ client, tokens, againMs, now }: AskingParts) {
  return async (
    make: (values: MessageValues) => OutboundRequest | undefined,
    values: MessageValues,
    isRefused: (answer: OutboundAnswer) => boolean,
  ): Promise<AskedProvider> => {
    const beganAt = now().getTime()
    for (let isLast = false; ; isLast = true) {
      const taken = await tokens?.take()
      if (taken && 'reason' in taken) return { kind: 'down', reason: taken.reason }
      const question = make(taken ? { ...values, token: taken.token } : values)
      if (!question) return 'unfit'
      const answer = await client.ask(question)
      const asked = { question, answer, token: taken?.token }
      if (!taken || answer.kind !== 'answered' || answer.status !== 401) return asked
      tokens?.forget(taken.token)
      // One that was fetched for this message is no old one: the provider means something else.
      if (isLast || taken.isFresh || !isRefused(answer)) return asked
      if (now().getTime() - beganAt > againMs) return { kind: 'retry', reason: 'the provider refuses an old token' }
    }
  }
}
