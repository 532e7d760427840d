/** A token that is fetched before a message can be sent: kept in memory only, one for a connection and all of its messages. */
import { findBy, findTextBy } from '../../../../mapping/pointer.ts'
import type { OutboundAnswer, OutboundRequest } from '../../../../outbound/client.ts'
import { readAnswer } from '../answer.ts'
import type { ProviderFile } from '../schema.ts'

type Fetched = { token: string; isFresh: boolean } | { reason: string }

export interface Tokens {
  /** Fetches one where none is kept, once for all who wait. `isFresh`: it was fetched for this call. @throws AskFault */
  take: () => Promise<Fetched>
  /** The provider refuses it. */
  forget: (token: string) => void
}

export interface TokenParts {
  form: NonNullable<ProviderFile['token']>
  make: () => OutboundRequest | undefined
  ask: (question: OutboundRequest) => Promise<OutboundAnswer>
  now: () => Date
}

/** Seconds: where none are said, or what is said is no time; and the most that is believed. */
const life = { standard: 600, max: 24 * 3600 }
/** A part of its life in which another one is fetched. */
const lastPart = 0.1
const tokenForm = /^[\x21-\x7e]{1,8192}$/

export function createTokens({ form, make, ask, now }: TokenParts): Tokens {
  const textOf = findTextBy(form.value)
  const secondsOf = form.expires_in === undefined ? () => undefined : findBy(form.expires_in)
  let kept: { token: string; until: number } | undefined
  let fetching: Promise<{ token: string } | { reason: string }> | undefined

  const fetch = async (): Promise<{ token: string } | { reason: string }> => {
    const question = make()
    if (!question) return failed('its request cannot be made of the settings')
    const answer = await ask(question)
    if (answer.kind !== 'answered') return failed(answer.reason)
    const { status } = answer
    if (status < 200 || status >= 300) return failed(`status ${status}`)
    const { value } = readAnswer(form.as === 'xml' ? 'xml' : 'json', answer)
    const token = textOf(value)
    if (answer.truncated || token === undefined || !tokenForm.test(token)) return failed('no token in its answer')
    kept = { token, until: now().getTime() + readLife(secondsOf(value)) * (1 - lastPart) * 1000 }
    return { token }
  }
  return {
    take: async () => {
      if (kept && now().getTime() < kept.until) return { token: kept.token, isFresh: false }
      kept = undefined
      fetching ??= fetch().finally(() => {
        fetching = undefined
      })
      return { ...(await fetching), isFresh: true }
    },
    forget: (token) => {
      if (kept?.token === token) kept = undefined
    },
  }
}

function failed(why: string): { reason: string } {
  return { reason: `no token from the provider: ${why}` }
}

function readLife(said: unknown): number {
  const seconds = typeof said === 'string' && said !== '' ? Number(said) : said
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, life.max) : life.standard
}
