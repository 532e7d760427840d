/** Messages that a person takes along: all that a search finds, page after page. */
import { createPlaces } from '../../kit/places.ts'
import { unavailable } from '../../kit/problem.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { MessageFilters } from '../../store/sending/messageSearch.ts'
import { type ActCommit, type Note, requireStill } from '../access/act.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { createMessageSearch, type ListedMessage } from './messageSearch.ts'
import { maskPhone } from './phone.ts'

export interface ExportLimits {
  /** Messages of one export. */
  messagesMax: number
  /** Messages that are in memory at once. */
  pageSize: number
  /** Of a search that finds little: a page looks at 100,000 messages at most. */
  pagesMax: number
}

export const exportLimits: ExportLimits = { messagesMax: 100_000, pageSize: 1000, pagesMax: 1000 }

/** Exports of the people of one account that may be under way at once; each person has one. */
const ofAccountMax = 2
/** Pages that a process reads at once, for all exports: whoever waits longest is next. */
const readsMax = 2
/** Milliseconds that a page waits for its turn. */
const waitMs = 30_000

export interface ExportPage {
  /** The newest first. Phones are masked for who may see no more of them. */
  messages: ListedMessage[]
  /** The export ends here, and there may be more. */
  isCut: boolean
}

export interface MessageExport {
  /** Each is read when it is asked for; between two of them no connection is held. @throws Forbidden, Problem */
  pages: AsyncIterable<ExportPage>
  /** Must be called, however it ends. */
  end: () => void
}

export type ExportFilters = MessageFilters & { id?: string | undefined }

/** @throws Refusal while too many of the account's exports are under way, Forbidden */
export type ExportMessages = (actor: Actor, accountId: string, filters: ExportFilters) => Promise<MessageExport>

/** The exports that are under way in a process. */
export interface Exports {
  /** @returns what ends it @throws Refusal */
  begin: (accountId: string, name: string) => () => void
  /** Reads a page when it is its turn. @throws Problem `service_unavailable` */
  read: <Page>(work: () => Promise<Page>) => Promise<Page>
}

export function createExports(): Exports {
  const accounts = new Map<string, string>()
  const places = createPlaces(() => readsMax)
  return {
    begin: (accountId, name) => {
      if (accounts.has(name)) throw new Refusal('Your last export is still on its way. Wait until it is here.')
      if ([...accounts.values()].filter((one) => one === accountId).length >= ofAccountMax) {
        throw new Refusal('Others of your account are exporting now. Try again in a minute.')
      }
      accounts.set(name, accountId)
      return () => void accounts.delete(name)
    },
    read: async (work) => {
      if (!(await places.take(waitMs))) throw unavailable()
      return work().finally(places.free)
    },
  }
}

export interface ExportParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'elapsedMs'>
  exports: Exports
}

type Exporting = Pick<ExportParts, 'commit' | 'exports'>

/** Each export is written down: it takes many phones along at once. @returns what ends it @throws Refusal, Forbidden */
export async function beginExport({ commit, exports }: Exporting, actor: Actor, note: Note): Promise<() => void> {
  requireRole(actor, 'viewer', note.accountId)
  const end = exports.begin(note.accountId, actor.kind === 'user' ? actor.id : actor.name)
  try {
    await commit.as(actor).transaction((_tx, write) => write(note))
  } catch (error) {
    end()
    throw error
  }
  return end
}

/** When it is its turn, and for as long as the person may. @throws Forbidden, Problem `service_unavailable` */
export function readExported<Page>(
  { commit, exports }: Exporting,
  actor: Actor,
  work: () => Promise<Page>,
): Promise<Page> {
  return exports.read(async () => {
    await requireStill(commit.reader, actor)
    return work()
  })
}

export function createMessageExport(parts: ExportParts, limits = exportLimits): ExportMessages {
  const search = createMessageSearch(parts)

  return async (actor, accountId, filters) => {
    const { phone, id, ...detail } = filters
    const subject = id ?? (phone === undefined ? 'all' : maskPhone(phone))
    const end = await beginExport(parts, actor, { accountId, act: 'messages.exported', subject, detail })
    return { pages: findPages(actor, accountId, filters), end }
  }

  async function* findPages(actor: Actor, accountId: string, filters: ExportFilters): AsyncGenerator<ExportPage> {
    let left = limits.messagesMax
    let after: string | undefined
    for (let page = 1; ; page++) {
      const limit = Math.min(limits.pageSize, left)
      const found = await readExported(parts, actor, () => search(actor, accountId, { ...filters, limit, after }))
      left -= found.messages.length
      after = found.after
      const isLast = after === undefined || left === 0 || page === limits.pagesMax
      yield { messages: found.messages, isCut: isLast && after !== undefined }
      if (isLast) return
    }
  }
}
