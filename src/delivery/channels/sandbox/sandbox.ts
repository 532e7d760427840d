/** A messaging application without the world: its phones live in the database, and numbers of the test range behave. */
import { z } from 'zod'
import type { Secrets } from '../../../domain/access/secret.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import { insertSandboxMessages } from '../../../store/channels/sandboxMessage.ts'
import type { Commit } from '../../../store/engine/commit.ts'
import type { Tx } from '../../../store/engine/session.ts'
import type { Channel, Outgoing, Receipt, Report } from '../../channel.ts'
import type { ReportLater } from '../../receipts.ts'
import { digestOf, readJson } from '../../report.ts'
import { textOf } from '../../text.ts'
import { type TestOutcome, testOutcome } from './kind.ts'

export interface SandboxParts {
  commit: Commit
  /** Brings a report to the service, after so many seconds, when `tx` commits. */
  report: ReportLater
  secrets: Secrets
  runtime: Pick<Runtime, 'now'>
  /** Shows what a phone receives; for a person at a terminal. */
  onText?: ((phone: string, text: string) => void) | undefined
}

const slowSeconds = 5
const flakyErrors = 2
/** The id of the key, and the HMAC of the body, in hex. */
const signature = 'x-sandbox-signature'
const signatureForm = /^(\w{8}) (\w{64})$/

/** What each number makes the application report; a number of the test range that stays silent reports nothing. */
const reports: Record<TestOutcome, Receipt['status'][]> = {
  delivered: ['delivered'],
  read: ['delivered', 'read'],
  not_on_channel: ['failed'],
  silent: [],
  slow: ['delivered'],
  flaky: ['delivered'],
  cooldown: ['delivered'],
}

export function createSandbox({ commit, report, secrets, runtime, onText }: SandboxParts): Channel {
  const take = commit.share<Outgoing, undefined>({
    membersMax: 256,
    work: async (tx, messages) => {
      const bySeconds = Map.groupBy(messages, ({ phone }) => (testOutcome(phone) === 'slow' ? slowSeconds : 0))
      for (const [afterSeconds, list] of bySeconds) await receive(tx, list, afterSeconds)
      return messages.map(() => undefined)
    },
  })

  return {
    dedupes: true,
    atOnceMax: Number.POSITIVE_INFINITY,
    send: async (message) => {
      if (testOutcome(message.phone) === 'flaky' && message.attempt <= flakyErrors) {
        return { kind: 'retry', reason: 'temporary error of the sandbox' }
      }
      await take(message)
      return { kind: 'sent' }
    },
    verify: ({ headers, body }) => {
      const [, keyId = '', hex] = signatureForm.exec(headers[signature] ?? '') ?? []
      const given = digestOf(hex)
      return given !== undefined && secrets.verify('report', given, keyId, body)
    },
    parse: (body) =>
      readJson(body, reportForm).map(({ account_id: accountId, id, connection, status }): Receipt => {
        const receipt = { message: { accountId, id }, connection, status, at: runtime.now() }
        return status === 'failed'
          ? { ...receipt, errorCode: 'not_on_channel', reason: 'the number is not there' }
          : receipt
      }),
    refuses: (phone) => (testOutcome(phone) === 'cooldown' ? 'resend_cooldown' : undefined),
  }

  /** Each message once, however often it is sent. */
  async function receive(tx: Tx, messages: Outgoing[], afterSeconds: number): Promise<void> {
    const at = new Date(runtime.now().getTime() + afterSeconds * 1000)
    const texts = messages
      .filter(({ phone }) => reports[testOutcome(phone)].includes('delivered'))
      .map(({ accountId, id, phone, content }) => ({ accountId, id, phone, text: textOf(content), at }))
    const fresh = new Set(texts.length > 0 ? await insertSandboxMessages(tx, texts) : [])
    for (const { id, phone, text } of texts) if (fresh.has(id)) onText?.(phone, text)
    const wasThere = new Set(texts.filter(({ id }) => !fresh.has(id)).map(({ id }) => id))
    const list = messages
      .filter(({ id }) => !wasThere.has(id))
      .flatMap(({ accountId, id, connection, phone }) =>
        reports[testOutcome(phone)].map((status) => ({ account_id: accountId, id, connection, status })),
      )
    if (list.length > 0) await report(tx, signed(JSON.stringify(list)), afterSeconds)
  }

  function signed(text: string): Report {
    const body = Buffer.from(text)
    const { hmac, keyId } = secrets.sign('report', body)
    return { headers: { [signature]: `${keyId} ${hmac.toString('hex')}` }, body }
  }
}

const reportForm = z.array(
  z.object({
    account_id: z.string(),
    id: z.string(),
    connection: z.string(),
    status: z.enum(['delivered', 'read', 'failed']),
  }),
)
