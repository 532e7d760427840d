/**
 * Sends notifications again that have failed: each as a new message, made from today's template with the variables of then. It goes as a
 * scheduled one whose time has come, so limits, budgets and opt-outs of that moment hold. What it was made from is taken away in the same
 * transaction: nothing is sent again twice.
 */
import { Problem } from '../../../kit/problem.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import type { NewMessage } from '../../../store/sending/message.ts'
import {
  type FailedNotification,
  listResendable,
  lockFailed,
  markResent,
  type Resendable,
  type ResendFilters,
} from '../../../store/sending/resend.ts'
import { insertScheduled } from '../../../store/sending/scheduled.ts'
import { findTemplates, type Template } from '../../../store/template.ts'
import type { ActCommit } from '../../access/act.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import type { Secrets } from '../../access/secret.ts'
import { openContent, sealContent } from '../content.ts'
import { messageIdPrefix } from '../messageId.ts'
import { lookUpPhone, type PhonesAllowed } from '../phone.ts'
import type { FindRoute } from '../route.ts'
import { fillTemplate } from '../wordings/templateText.ts'

/** Days for which it is kept what a failed notification was made from. */
export const resendableDays = 7
export const resendableMs = resendableDays * 24 * 3600 * 1000
/** Messages that one call sends again, at most. */
export const resendMax = 100

/** What became of one: its new id, or why it cannot be sent again, in a sentence. */
export type ResendOutcome = { id: string; as: string } | { id: string; refused: string }

export interface Resends {
  /** A page of those that can be sent again, the oldest first. @throws Forbidden */
  list: (actor: Actor, accountId: string, filters: ResendFilters, after: string) => Promise<Resendable[]>
  /**
   * @param ids `resendMax` at most
   * @returns for each, in their order
   * @throws Refusal when the secret of the service is not known here, Forbidden
   */
  send: (actor: Actor, accountId: string, ids: readonly string[]) => Promise<ResendOutcome[]>
}

export interface ResendParts {
  commit: ActCommit
  /** Undefined: they are not known here. */
  secrets: Secrets | undefined
  /** Those of an account, as its connections are now. @throws when the database is out of reach */
  routesOf: (accountId: string) => Promise<FindRoute>
  phones: PhonesAllowed
  /** Characters that a filled text may have. */
  filledCharactersMax: number
  runtime: Pick<Runtime, 'now' | 'newId'>
}

export function createResends(parts: ResendParts): Resends {
  const { commit, secrets, routesOf } = parts
  return {
    list: async (actor, accountId, filters, after) => {
      requireRole(actor, 'developer', accountId)
      return listResendable(commit.reader, accountId, filters, { after, limit: resendMax })
    },
    send: async (actor, accountId, ids) => {
      requireRole(actor, 'developer', accountId)
      if (!secrets) {
        throw new Refusal(
          'The variables of messages are encrypted with the secret of the service: set WATCHWORD_SECRET to the same value as the service.',
        )
      }
      const route = await routesOf(accountId)
      return commit.as(actor).transaction(async (tx, note) => {
        const asked = [...new Set(ids)].slice(0, resendMax).map((id) => ({ accountId, id }))
        const found = await lockFailed(tx, asked)
        const slugs = found.map((row) => ({ accountId, slug: row?.template ?? '' }))
        const templates = await findTemplates(tx, slugs)
        const made: NewMessage[] = []
        const outcomes: ResendOutcome[] = []
        for (const [place, { id }] of asked.entries()) {
          const row = found[place]
          const message = await buildAgain({ accountId, row, template: templates[place] }, { ...parts, secrets, route })
          if (typeof message === 'string') outcomes.push({ id, refused: message })
          else {
            made.push(message)
            outcomes.push({ id, as: message.id })
            await note({ accountId, act: 'message.resent', subject: id, detail: { message: message.id } })
          }
        }
        insertScheduled(tx, made)
        markResent(
          tx,
          made.map(({ id: as, resendOf }) => ({ accountId, id: resendOf!, as })),
        )
        return outcomes
      })
    },
  }
}

/** @returns the new message, or why there is none */
async function buildAgain(
  {
    accountId,
    row,
    template,
  }: { accountId: string; row: FailedNotification | undefined; template: Template | undefined },
  { secrets, route, phones, filledCharactersMax, runtime }: ResendParts & { secrets: Secrets; route: FindRoute },
): Promise<NewMessage | string> {
  const kept = row && openKept(row)
  if (!row || !kept) return 'There is no such message.'
  if (typeof kept === 'string') return kept
  if (!template) return `The template ${row.template} is gone.`
  const old = toContent(secrets, { accountId, id: row.id }, kept)
  if (typeof old === 'string') return old
  const found = lookUpPhone(row.phone, phones)
  if (found instanceof Problem) return found.message
  const locale =
    row.templateLocale !== null && Object.hasOwn(template.locales, row.templateLocale)
      ? row.templateLocale
      : template.defaultLocale
  const { text, channels } = template.locales[locale]!
  const filled = fillTemplate(text, old.variables, filledCharactersMax)
  if (filled instanceof Problem) return `Its variables do not match the template ${template.slug} as it is now.`
  const { mode, phone, reference } = row
  const { order, to } = old
  const way = (await route({ accountId, mode, phone, country: found.country, order })).notification(channels)
  if ('refused' in way) return 'No channel of this account can carry it now.'
  const key = { accountId, id: `${messageIdPrefix}${runtime.newId()}` }
  const at = runtime.now()
  const content = { kind: 'notification' as const, template: template.slug, ...filled, channels, order, to }
  return {
    ...{ ...key, mode, keyId: null, kind: 'notification', phone, country: found.country },
    ...{ template: template.slug, templateVersion: template.version, templateLocale: locale },
    ...{ route: way.connections, content: sealContent(secrets, key, content), status: 'queued', at, sendAt: at },
    ...{ expiresAt: expiryOf(row, at), reference: reference ?? undefined, resendOf: row.id },
  }
}

/** @returns what is kept of it, sealed, or why that is not sent again */
function openKept({ kind, template, hasFailed, content, resentAs }: FailedNotification): Buffer | string {
  if (kind !== 'notification' || template === null)
    return 'It has a code or a text of an auth system, which is not sent again.'
  if (resentAs !== null) return `It was sent again before, as ${resentAs}.`
  if (!hasFailed) return 'It has not failed.'
  return (
    content ??
    `Its variables are no longer kept: they are erased when a provider takes a message, and ${resendableDays} days after it failed.`
  )
}

function toContent(secrets: Secrets, key: { accountId: string; id: string }, sealed: Buffer) {
  try {
    const content = openContent(secrets, key, sealed)
    return content.kind === 'notification' ? content : 'It has a code, which is not sent again.'
  } catch {
    return 'Its variables are encrypted with a secret that is not set any more.'
  }
}

/** As long as the first one had. */
function expiryOf({ createdAt, sendAt, expiresAt }: FailedNotification, at: Date): Date | null {
  return expiresAt && new Date(at.getTime() + expiresAt.getTime() - (sendAt ?? createdAt).getTime())
}
