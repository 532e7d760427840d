/** Messages that a person takes along: all that a search finds, page after page. */
import { createPlaces } from '../../kit/places.ts'
import { unavailable } from '../../kit/problem.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { MessageFilters } from '../../store/sending/messageSearch.ts'
import { type ActCommit, requireStill } from '../access/act.ts'
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

/** Each export is written down: it takes many phones along at once. */
export function createMessageExport(parts: ExportParts, limits = exportLimits): ExportMessages {
  const { commit, exports } = parts
  const search = createMessageSearch(parts)

  return async (actor, accountId, filters) => {
    requireRole(actor, 'viewer', accountId)
    const end = exports.begin(accountId, actor.kind === 'user' ? actor.id : actor.name)
    try {
      const { phone, id, ...detail } = filters
      const subject = id ?? (phone === undefined ? 'all' : maskPhone(phone))
      await commit.as(actor).transaction((_tx, note) => note({ accountId, act: 'messages.exported', subject, detail }))
    } catch (error) {
      end()
      throw error
    }
    return { pages: findPages(actor, accountId, filters), end }
  }

  async function* findPages(actor: Actor, accountId: string, filters: ExportFilters): AsyncGenerator<ExportPage> {
    let left = limits.messagesMax
    let after: string | undefined
    for (let page = 1; ; page++) {
      const limit = Math.min(limits.pageSize, left)
      const found = await exports.read(async () => {
        await requireStill(commit.reader, actor)
        return search(actor, accountId, { ...filters, limit, after })
      })
      left -= found.messages.length
      after = found.after
      const isLast = after === undefined || left === 0 || page === limits.pagesMax
      yield { messages: found.messages, isCut: isLast && after !== undefined }
      if (isLast) return
    }
  }
}
