/** What is wrong now with what an account sends through, and is told by. */
import type { Runtime } from '../../kit/runtime.ts'
import { type Connection, findConnections } from '../../store/channels/connection.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { findByConnection } from '../../store/insight/figure.ts'
import { findWaitingEvents, findWaitingJobs } from '../../store/insight/waiting.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { findTemplatesOf, type Template } from '../../store/template.ts'
import { type Endpoint, findEndpoints } from '../../store/webhooks/endpoint.ts'
import { type Actor, may, requireRole } from '../access/actor.ts'
import type { Connections } from '../channels/connection.ts'
import { findMissingReports, type MissingReports } from '../channels/missingReports.ts'
import { findUsedDays, isMuch, type UsedDay } from '../channels/usedDay.ts'
import { findUsedBudgets, toldParts, type UsedBudget } from '../protection/budget/budgetUse.ts'
import { queueOf } from '../sending/dispatch.ts'
import { defaultText } from '../templates/template.ts'
import { faultText, findKnownFault } from '../templates/templateFault.ts'
import { type FallenConversion, findFallen } from './conversion.ts'

/** Each with the id of what it is about. */
export type Trouble =
  /** It is not asked before that time. */
  | { kind: 'connection_rests'; id: string; reason: string; until: Date }
  /** This installation cannot use it as it stands, such as one whose address it does not open. */
  | { kind: 'connection_unusable'; id: string; reason: string }
  /** Most of the messages that it may take in a day are used, or all. */
  | { kind: 'day_used'; id: string; used: number; of: number; until: Date | null }
  /** Of the messages that it was the last to carry in the last hour, many failed. */
  | { kind: 'connection_fails'; id: string; failed: number; of: number }
  /** It took messages, and its provider does not report what became of them. */
  | ({ kind: 'reports_missing'; id: string } & MissingReports)
  /** There is none: nothing can be sent. */
  | { kind: 'connection_missing'; id: '' }
  | { kind: 'endpoint_disabled'; id: string; url: string; reason: Endpoint['disabledReason']; since: Date }
  | { kind: 'endpoint_fails'; id: string; url: string; failures: number; since: Date }
  /** An event has been due for so long, and nobody has tried to bring it. */
  | { kind: 'endpoint_waits'; id: string; url: string; seconds: number }
  /** A job has been due for so long; `id` is the kind of connections. */
  | { kind: 'queue_grows'; id: string; seconds: number }
  /** Far fewer codes come back than is usual; `id` is the country, or how the numbers begin. */
  | ({ kind: 'conversion_falls'; id: string } & FallenConversion)
  /** Most of a budget is used today, or it is spent: `id` is its own. */
  | { kind: 'budget_reached'; id: string; percent: number }
  /** A template that the provider of a connection would not send as it is: `id` is its slug, `text` says why. */
  | { kind: 'template_unusable'; id: string; connection: string; text: string; since: Date }
  /** A template that no connection can carry: `id` is its slug. */
  | { kind: 'template_stuck'; id: string }

export interface Troubles {
  /** The worst first. @throws Forbidden */
  find: (actor: Actor, of: { accountId: string; mode: Mode }) => Promise<Trouble[]>
}

export interface TroubleParts {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
  connections: Pick<Connections, 'findUnusable'>
  /** The kind that test keys take, whatever the account has. */
  testKind: string
  kinds: Readonly<Record<string, { carries: (message: { kind: 'notification'; template: unknown }) => boolean }>>
}

/** Seconds that something may wait before that is worth a word: a worker looks twice a second. */
const waitedSeconds = 30
/** Failures in a row: one or two are tried again at once. */
const failuresMin = 3
/** Messages below which a part of them says nothing, and the part that is too much. */
const enough = { messages: 20, failedShare: 0.2 }
const hourMs = 3600 * 1000
/** Of how numbers begin, with the plus: as much as of a masked phone. */
const shownDigits = 5

export function createTroubles(parts: TroubleParts): Troubles {
  const { runtime, testKind, kinds } = parts
  const { reader } = parts.commit
  return {
    find: async (actor, { accountId, mode }) => {
      requireRole(actor, 'viewer', accountId)
      const now = runtime.now()
      const lastHour = { grain: 'minute', from: new Date(now.getTime() - hourMs), to: now } as const
      const [[connections = []], [all = []], templates, lately, fallen, budgets] = await Promise.all([
        findConnections(reader, [accountId]),
        findEndpoints(reader, [accountId]),
        findTemplatesOf(reader, accountId),
        findByConnection(reader, { accountId, mode }, lastHour),
        // Codes of test keys cost nothing, whoever sends them.
        mode === 'live' ? findFallen(reader, { accountId, mode }, now) : [],
        findUsedBudgets(reader, { accountId, mode }, now),
      ])
      const endpoints = all.filter((endpoint) => endpoint.mode === mode)
      const used = mode === 'test' ? [] : connections
      const [days, unusable] = await Promise.all([
        findUsedDays(reader, used, now),
        parts.connections.findUnusable(used),
      ])
      const queues = mode === 'test' ? [testKind] : [...new Set(used.map(({ kind }) => kind))]
      const [jobs, events] = await Promise.all([
        findWaitingJobs(reader, queues.map(queueOf)),
        findWaitingEvents(
          reader,
          endpoints.filter(({ disabledAt }) => !disabledAt),
          now,
        ),
      ])
      return [
        ...(mode === 'live' && connections.length === 0 ? [{ kind: 'connection_missing', id: '' } as const] : []),
        ...[...unusable].map(unusableTrouble),
        ...used.flatMap((connection) => findRest(connection, now)),
        ...[...days].flatMap(dayTrouble),
        ...budgets.flatMap(budgetTrouble),
        ...fallen.map((one) => fallenTrouble(one, actor)),
        ...lately.flatMap(findFailing),
        ...used.flatMap((connection) => findUnreported(connection, now)),
        ...jobs.flatMap(({ name, seconds }) => waitingJob(queues.find((kind) => queueOf(kind) === name)!, seconds)),
        ...endpoints.flatMap(endpointTrouble),
        ...events.flatMap(({ endpointId, seconds }) =>
          waitingEvent(endpoints.find(({ id }) => id === endpointId)!, seconds),
        ),
        ...used.flatMap((connection) => findUnsendable(connection, templates)),
        ...(used.length > 0
          ? templates.filter((template) => !isAsItCame(template) && !isCarried(kinds, template, used)).map(stuck)
          : []),
      ]
    },
  }
}

function isCarried(kinds: TroubleParts['kinds'], { locales }: Template, connections: readonly Connection[]): boolean {
  return Object.values(locales).every(({ channels }) =>
    connections.some(({ kind }) => kinds[kind]?.carries({ kind: 'notification', template: channels[kind] })),
  )
}

function unusableTrouble([{ id }, reason]: [Connection, string]): Trouble {
  return { kind: 'connection_unusable', id, reason }
}

function findRest({ id, restsUntil, restReason }: Connection, now: Date): Trouble[] {
  if (!restsUntil || restsUntil <= now) return []
  return [{ kind: 'connection_rests', id, reason: restReason ?? '', until: restsUntil }]
}

function dayTrouble([id, day]: [string, UsedDay]): Trouble[] {
  return isMuch(day) ? [{ kind: 'day_used', id, used: day.used, of: day.of, until: day.freeAt }] : []
}

function findUnreported(connection: Connection, now: Date): Trouble[] {
  const missing = findMissingReports(connection, now)
  return missing ? [{ kind: 'reports_missing', id: connection.id, ...missing }] : []
}

/** Those that still say what they said when it was found out. */
function findUnsendable(
  { id: connection, kind, templateFaults }: Connection,
  templates: readonly Template[],
): Trouble[] {
  return (templateFaults ?? []).flatMap((fault): Trouble[] => {
    const template = templates.find(({ slug }) => slug === fault.slug)
    const said = template?.locales[fault.locale]?.channels[kind]
    if (!findKnownFault([fault], said)) return []
    const since = new Date(fault.since)
    return [{ kind: 'template_unusable', id: fault.slug, connection, text: faultText(fault), since }]
  })
}

function budgetTrouble({ budget: { id }, percent }: UsedBudget): Trouble[] {
  return percent < toldParts.at(-1)! ? [] : [{ kind: 'budget_reached', id, percent }]
}

function findFailing(share: { connection: string; created: number; failed: number }): Trouble[] {
  const { connection: id, created: of, failed } = share
  if (of < enough.messages || failed < of * enough.failedShare) return []
  return [{ kind: 'connection_fails', id, failed, of }]
}

/** How numbers begin is nearly the number: who sees phones masked, sees less of it. */
function fallenTrouble(fallen: FallenConversion, actor: Actor): Trouble {
  const { country, prefix: whole } = fallen
  const prefix = whole === undefined || may(actor, 'developer') ? whole : whole.slice(0, shownDigits)
  return { kind: 'conversion_falls', id: prefix ?? country, ...fallen, prefix }
}

function waitingJob(id: string, seconds: number): Trouble[] {
  return seconds < waitedSeconds ? [] : [{ kind: 'queue_grows', id, seconds }]
}

function endpointTrouble({ id, url, disabledAt, disabledReason, failingSince, failures }: Endpoint): Trouble[] {
  if (disabledAt) return [{ kind: 'endpoint_disabled', id, url, reason: disabledReason, since: disabledAt }]
  if (!failingSince || failures < failuresMin) return []
  return [{ kind: 'endpoint_fails', id, url, failures, since: failingSince }]
}

function waitingEvent({ id, url }: Endpoint, seconds: number): Trouble[] {
  return seconds < waitedSeconds ? [] : [{ kind: 'endpoint_waits', id, url, seconds }]
}

/** The template that the account had from its start, and that nobody has changed: nobody waits for it to be carried. */
function isAsItCame({ slug, ...template }: Template): boolean {
  const { text, channels } = defaultText(template)
  return slug === 'welcome' && text === 'Welcome, {{name}}!' && Object.keys(channels).length === 0
}

function stuck({ slug }: Template): Trouble {
  return { kind: 'template_stuck', id: slug }
}
