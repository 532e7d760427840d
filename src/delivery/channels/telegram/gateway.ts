/** The wire of Telegram's Gateway: one POST for each of its methods, and what its answers say. */
import { z } from 'zod'
import { type Client, parseAnswerJson } from '../../../outbound/client.ts'
import { type TelegramRefusal, tooMany, toTelegramRefusal } from './refusal.ts'

export interface Gateway {
  /** A refusal that is `unknown` may have been taken. */
  ask: <Result>(method: Method, parameters: object, result: z.ZodType<Result>) => Promise<Answered<Result>>
  close: () => Promise<void>
}

type Method = 'checkSendAbility' | 'sendVerificationMessage' | 'checkVerificationStatus'

export type Answered<Result> = { ok: true; result: Result } | { ok: false; refusal: TelegramRefusal }

export interface GatewayParts {
  client: Client
  /** Without a slash at the end. */
  baseUrl: string
  token: string
}

export function createGateway({ client, baseUrl, token }: GatewayParts): Gateway {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return {
    ask: async (method, parameters, result) => {
      const body = JSON.stringify(parameters)
      const answer = await client.ask({ method: 'POST', url: `${baseUrl}/${method}`, headers, body })
      if (answer.kind === 'unsent') return refused({ kind: 'retry', reason: answer.reason })
      if (answer.kind === 'unknown') return refused({ kind: 'unknown', reason: answer.reason })
      const { status, retryAfterSeconds } = answer
      // Whatever it says: a server that fails may have done its work before.
      if (status >= 500) return refused({ kind: 'unknown', reason: `status ${status}`, providerCode: `${status}` })
      const read = readAnswer(answer.body, result)
      if (!read) {
        if (status === 429) return refused(tooMany('429', retryAfterSeconds))
        return refused({
          kind: 'unknown',
          reason: `answer of another form, status ${status}`,
          providerCode: `${status}`,
        })
      }
      return read.ok ? read : refused(toTelegramRefusal(read.error, token))
    },
    close: client.close,
  }
}

const answerForm = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.string().min(1) }),
])

/** It is `ok` that tells: Telegram refuses with status 200 as well. */
function readAnswer<Result>(body: Buffer, form: z.ZodType<Result>): Read<Result> | undefined {
  const { data: answer } = answerForm.safeParse(parseAnswerJson(body))
  if (!answer?.ok) return answer
  const { success, data } = form.safeParse(answer.result)
  return success ? { ok: true, result: data } : undefined
}

type Read<Result> = { ok: true; result: Result } | { ok: false; error: string }

function refused(refusal: TelegramRefusal): { ok: false; refusal: TelegramRefusal } {
  return { ok: false, refusal }
}
