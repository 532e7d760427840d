/**
 * Watches the templates that providers have of their own: once an hour the list of each connection is compared with the templates of
 * its account, and what a provider tells of one counts at once. Nothing is stopped by it but a hand-over that the provider would
 * refuse: where a list cannot be read, what was known stays, and the provider itself is asked at each message.
 */
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type JudgedTemplates,
  judgeTemplates,
  listUses,
  type TemplateUse,
  type TemplateWord,
} from '../../domain/templates/templateFault.ts'
import type { Events } from '../../domain/webhooks/event.ts'
import type { Task } from '../../jobs/worker.ts'
import { inTime } from '../../kit/inTime.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { createWindow } from '../../kit/window.ts'
import {
  type Connection,
  type ConnectionRevision,
  findConnections,
  findConnectionsBehind,
} from '../../store/channels/connection.ts'
import { keepTemplates, lockTemplates } from '../../store/channels/connectionTemplates.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Queue, QueueOptions } from '../../store/engine/queue.ts'
import { findTemplatesOf } from '../../store/template.ts'
import type { Kinds, Reporter, TemplateNews } from '../channel.ts'
import { type OpenAloneParts, openAlone } from '../check.ts'

const watchQueue = 'template-watch'
/** Each connection is read once an hour, in one of the turns of so many minutes. */
const turnMinutes = 5
const turnsOfHour = 60 / turnMinutes
/** Seconds after which no list is begun any more; and those after which a turn is taken to be lost with its worker. */
const [turnSeconds, lostSeconds] = [180, 280]
/** Connections whose lists are read at once, and those that are looked up at once. */
const [atOnceMax, pageSize] = [4, 100]
/** Milliseconds for one list, also of a provider that answers ever more of it. */
const listMs = 65_000
/** Reports with news of templates that are looked at, of one account in so many milliseconds: each reads all of its templates. */
const [takenMax, takenMs] = [60, 60_000]

export const templateWatchQueues: readonly QueueOptions[] = [
  { name: watchQueue, schedule: `*/${turnMinutes} * * * *`, aloneSeconds: lostSeconds },
]

export interface TemplateWatchParts extends Omit<OpenAloneParts, 'log' | 'runtime'> {
  commit: Commit
  queue: Queue
  runtime: Runtime
  kinds: Kinds
  events: Pick<Events, 'tellTemplates'>
  /** Told of an account whose templates are judged differently now. */
  onChange: (accountId: string) => void
}

export interface TemplateWatch {
  task: Task
  /** Takes what a provider tells of its templates. */
  take: (reporter: Reporter, news: readonly TemplateNews[]) => Promise<void>
}

export function createTemplateWatch(parts: TemplateWatchParts): TemplateWatch {
  const { commit, queue, runtime, kinds } = parts
  const taken = createWindow(takenMs, runtime.elapsedMs)
  const watched = Object.keys(kinds).filter((kind) => kinds[kind]?.templateName)
  return {
    task: {
      queue: watchQueue,
      jobsMax: 1,
      run: async ({ id }, { isStopping }) => {
        const endMs = runtime.elapsedMs() + turnSeconds * 1000
        const isOver = () => isStopping() || runtime.elapsedMs() >= endMs
        await watchTurn(parts, watched, isOver)
        if (!isStopping() && isOver()) runtime.log.warn('not all lists of templates could be read: there are too many')
        await commit.transaction((tx) => queue.complete(tx, watchQueue, [id]))
      },
    },
    take: async ({ accountId, connection }, news) => {
      const before = taken.add(accountId, 1)
      if (before === takenMax)
        runtime.log.warn(
          { account: accountId, connection },
          'too much news of templates: the hourly list tells the rest',
        )
      if (before >= takenMax) return
      const [list = []] = await findConnections(commit.reader, [accountId])
      const row = list.find(({ id }) => id === connection)
      if (!row) return
      // Of one template, the last word counts, of each thing that is said.
      const words = (await findUses(parts, row)).flatMap((use) => {
        const told = news.filter(({ template }) => template.name === use.name && template.language === use.language)
        return told.length === 0
          ? []
          : [[use, Object.assign({}, ...told.map(({ word }) => word)) as TemplateWord] as const]
      })
      if (words.length > 0) await keepWords(parts, row, { words, isWhole: false })
    },
  }
}

/** Reads the lists of the connections whose turn it is. What is wrong with one, holds up no other. */
async function watchTurn(parts: TemplateWatchParts, watched: readonly string[], isOver: () => boolean): Promise<void> {
  const left = (await findOfTurn(parts, watched)).values()
  const watchNext = async () => {
    for (const row of left) {
      if (isOver()) return
      const facts = { account: row.accountId, connection: row.id }
      await parts.runtime.internalErrors.guard('check', facts, {
        work: () => watchOne(parts, row),
        instead: () => undefined,
      })
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, watchNext))
}

/** The first of each account, then the second of each: one account whose lists take their time is waited for last. */
async function findOfTurn({ commit, runtime }: TemplateWatchParts, watched: readonly string[]): Promise<Connection[]> {
  const turn = Math.floor(runtime.now().getUTCMinutes() / turnMinutes)
  const found: { row: Connection; rank: number }[] = []
  const ranks = new Map<string, number>()
  let after = { accountId: '', id: '' }
  for (;;) {
    const rows = await findConnectionsBehind(commit.reader, after, { kinds: watched, count: pageSize })
    for (const row of rows.filter((one) => turnOf(one) === turn)) {
      const rank = ranks.get(row.accountId) ?? 0
      ranks.set(row.accountId, rank + 1)
      found.push({ row, rank })
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize)
      return found.toSorted((one, other) => one.rank - other.rank).map(({ row }) => row)
    after = { accountId: last.accountId, id: last.id }
  }
}

/** The same in every hour and process. */
function turnOf({ accountId, id }: Pick<Connection, 'accountId' | 'id'>): number {
  return Number.parseInt(hash('sha256', `${accountId} ${id}`).slice(0, 8), 16) % turnsOfHour
}

async function findUses({ commit, kinds }: TemplateWatchParts, row: Connection): Promise<TemplateUse[]> {
  const nameOf = kinds[row.kind]?.templateName
  return nameOf ? listUses(await findTemplatesOf(commit.reader, row.accountId), row.kind, nameOf) : []
}

async function watchOne(parts: TemplateWatchParts, row: Connection): Promise<void> {
  const uses = await findUses(parts, row)
  if (uses.length === 0 && !row.templateFaults) return
  const { runtime } = parts
  const facts = { account: row.accountId, connection: row.id }
  const told = uses.length === 0 ? { words: [] } : await askList(parts, row, uses)
  if ('unread' in told) {
    const reason = told.unread
    runtime.log.warn({ ...facts, reason }, 'the list of templates at a provider was not read: what was known stays')
    return
  }
  const words = uses.map((use, place) => [use, told.words[place] ?? {}] as const)
  await keepWords(parts, row, { words, isWhole: true })
}

async function askList(
  parts: TemplateWatchParts,
  row: Connection,
  uses: readonly TemplateUse[],
): Promise<{ words: TemplateWord[] } | { unread: string }> {
  const { runtime } = parts
  const opened = openAlone({ ...parts, log: runtime.log }, row)
  if ('unusable' in opened) return { unread: opened.unusable }
  const { channel } = opened
  try {
    const facts = { account: row.accountId, connection: row.id }
    const asked = runtime.internalErrors.guard('check', facts, {
      work: () => channel?.watch?.(uses.map(({ said }) => said)) ?? { unread: 'this kind of channel has none' },
      instead: () => ({ unread: 'an error of this service' }),
    })
    return await inTime(asked, listMs, () => ({ unread: 'it took too long' }))
  } finally {
    await channel?.close?.()
  }
}

interface Words {
  words: readonly (readonly [TemplateUse, TemplateWord])[]
  /** They are all that the account has. */
  isWhole: boolean
}

async function keepWords(parts: TemplateWatchParts, row: ConnectionRevision, said: Words): Promise<void> {
  const { commit, events, runtime, onChange } = parts
  const now = runtime.now()
  const judged = await commit.transaction(async (tx): Promise<JudgedTemplates | undefined> => {
    const known = await lockTemplates(tx, row)
    if (!known) return undefined
    const after = judgeTemplates(known, said.words, { now, isWhole: said.isWhole })
    if (after.added.length + after.ended.length === 0 && isDeepStrictEqual(known.categories, after.categories))
      return undefined
    await keepTemplates(tx, row, after)
    const { accountId, id: connection } = row
    events.tellTemplates(
      tx,
      after.added.map((fault) => ({ accountId, mode: 'live', at: now, connection, fault })),
    )
    return after
  })
  if (!judged) return
  const facts = { account: row.accountId, connection: row.id }
  // Without the detail, which has the provider's words in it.
  for (const { slug, locale, reason } of judged.added)
    runtime.log.warn({ ...facts, template: slug, locale, reason }, 'a channel is left out for a template')
  for (const { slug, locale, reason } of judged.ended)
    runtime.log.info({ ...facts, template: slug, locale, reason }, 'a channel carries a template again')
  onChange(row.accountId)
}
