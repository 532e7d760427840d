/** Notifications: a template is filled and queued. */
import { Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import { type Session, transaction } from '../store/connect.ts'
import { findSends, insertNotifications } from '../store/phone.ts'
import type { Queue } from '../store/queue.ts'
import { findTemplate } from '../store/template.ts'
import type { Caller } from './apiKey.ts'
import { sealContent } from './content.ts'
import { limitsOf, secondsToWait } from './limit.ts'
import { requirePhone } from './phone.ts'
import type { Secrets } from './secret.ts'
import { fillTemplate } from './template.ts'
import type { SendPolicy } from './verification.ts'

export interface Notifications {
  /**
   * Fills the template and queues the message, in one transaction.
   *
   * @throws Problem `invalid_phone`, `country_not_allowed`, `unknown_template`, `invalid_variables`, `send_limit_reached`
   */
  send: (
    session: Session,
    caller: Caller,
    input: { phone: string; template: string; variables: Readonly<Record<string, string | number | boolean>> },
  ) => Promise<{ id: string }>
}

export function createNotifications(
  runtime: Runtime,
  secrets: Secrets,
  queue: Pick<Queue, 'add'>,
  policy: SendPolicy,
): Notifications {
  return {
    send: async (session, caller, { phone, template: slug, variables }) => {
      requirePhone(phone, policy.countriesAllowed)
      const template = await findTemplate(session, caller.accountId, slug)
      if (!template) {
        throw new Problem('unknown_template', {
          details: [{ field: '/template', code: 'unknown', message: 'names no template of this account' }],
        })
      }
      const filled = fillTemplate(template.text, variables, policy.filledCharactersMax)
      const isTest = caller.mode === 'test'
      const { notifications: rules } = limitsOf(caller.mode, policy.limits)
      const at = runtime.now()
      const key = { accountId: caller.accountId, mode: caller.mode, phone }
      const id = `req_${runtime.newId()}`
      const content = sealContent(
        secrets,
        { accountId: caller.accountId, id },
        { kind: 'notification', template: slug, ...filled },
      )
      await transaction(session, async (tx) => {
        const draft = { ...key, id, channel: isTest ? 'sandbox' : policy.channel, content, at }
        const made = await insertNotifications(tx, [draft], rules)
        if (made.length === 0) {
          const wait = secondsToWait(rules, (await findSends(tx, key)).notifiedAt, at)
          throw new Problem('send_limit_reached', { retryAfterSeconds: Math.max(1, wait) })
        }
        await queue.add(tx, 'deliver', [{ data: { accountId: caller.accountId, id } }])
      })
      return { id }
    },
  }
}
