/** A messaging application without the world: its phones live in the database, and numbers of the test range behave. */
import { z } from 'zod'
import type { Content } from '../../domain/content.ts'
import { type TestOutcome, testOutcome } from '../../domain/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { type Session, transaction } from '../../store/connect.ts'
import type { Queue } from '../../store/queue.ts'
import { insertSandboxMessage } from '../../store/sandboxMessage.ts'
import type { Channel, Outgoing, Receipt } from '../channel.ts'

export interface SandboxDeps {
  session: Session
  queue: Pick<Queue, 'add'>
  runtime: Pick<Runtime, 'now'>
  /** Shows what a phone receives; for a person at a terminal. */
  onText?: ((phone: string, text: string) => void) | undefined
}

const slowSeconds = 5
const flakyErrors = 2

/** What each number makes the application report; a number of the test range that stays silent reports nothing. */
const reports: Record<TestOutcome, Report['status'][]> = {
  delivered: ['delivered'],
  read: ['delivered', 'read'],
  not_on_channel: ['failed'],
  silent: [],
  slow: ['delivered'],
  flaky: ['delivered'],
  cooldown: ['delivered'],
}

export function createSandbox({ session, queue, runtime, onText }: SandboxDeps): Channel {
  return {
    send: async (message) => {
      const outcome = testOutcome(message.phone)
      if (outcome === 'flaky' && message.attempt <= flakyErrors) {
        return { kind: 'retry', reason: 'temporary error of the sandbox' }
      }
      const afterSeconds = outcome === 'slow' ? slowSeconds : 0
      const statuses = reports[outcome]
      await transaction(session, async (tx) => {
        if (statuses.includes('delivered') && !(await receive(tx, message, afterSeconds))) return
        const payload = {
          account_id: message.accountId,
          id: message.id,
          reports: statuses.map((status) => ({ status })),
        }
        if (statuses.length > 0) await queue.add(tx, 'sandbox-report', [{ data: payload, afterSeconds }])
      })
      return { kind: 'sent', providerMessageId: `sandbox-${message.id}` }
    },
    parseReceipts: (payload) => {
      const { account_id: accountId, id, reports } = reportForm.parse(payload)
      return reports.map(({ status }): Receipt => {
        const receipt = { accountId, id, status, at: runtime.now() }
        return status === 'failed' ? { ...receipt, errorCode: 'not_on_channel' } : receipt
      })
    },
  }

  /** @returns false when the phone has that message already */
  async function receive(tx: Session, message: Outgoing, afterSeconds: number): Promise<boolean> {
    const text = textOf(message.content)
    const at = new Date(runtime.now().getTime() + afterSeconds * 1000)
    const isNew = await insertSandboxMessage(tx, {
      accountId: message.accountId,
      id: message.id,
      phone: message.phone,
      text,
      at,
    })
    if (isNew) onText?.(message.phone, text)
    return isNew
  }
}

const reportForm = z.object({
  account_id: z.string(),
  id: z.string(),
  reports: z.array(z.object({ status: z.enum(['delivered', 'read', 'failed']) })),
})
type Report = z.infer<typeof reportForm>['reports'][number]

function textOf(content: Content): string {
  if (content.kind === 'notification') return content.text
  return content.brandName ? `Your ${content.brandName} code is ${content.code}` : `Your code is ${content.code}`
}
