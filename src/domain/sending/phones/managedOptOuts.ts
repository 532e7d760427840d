/** What people of an account and the operator do with opt-outs: each is written down in the audit, with the phone masked. */
import { inTurns } from '../../../kit/inTurns.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import { inOrder } from '../../../store/engine/order.ts'
import type { OptOutCategory, OptOutSource } from '../../../store/schema/requestSchema.ts'
import {
  countOptOuts,
  type KnownOptOut,
  type ListedOptOut,
  listOptOuts,
  type OptOutPlace,
} from '../../../store/sending/optOut.ts'
import type { ActCommit } from '../../access/act.ts'
import { type Actor, requireRole } from '../../access/actor.ts'
import { findLookupKey } from '../../access/keyring.ts'
import type { Secrets } from '../../access/secret.ts'
import type { Events } from '../../webhooks/event.ts'
import { beginExport, type Exports, readExported } from '../messageExport.ts'
import { maskPhone } from '../phone.ts'
import { onePhone } from '../phoneForm.ts'
import { createOptOuts, nameOf, type OptOutNews, type OptOuts } from './optOut.ts'
import { phonesAtOnceMax, phonesInOneGo } from './phoneList.ts'
import { createManagedKeywords, type ManagedKeywords } from './replyKeyword.ts'
import { requirePhone } from './typedPhone.ts'

/** Each is for both modes of the account, and takes phones as people write them. */
export interface ManagedOptOuts extends ManagedKeywords {
  /**
   * Its owner wants notifications again, or the provider was wrong. The reason stands in the audit.
   *
   * @returns whether the phone had opted out
   * @throws Refusal when it is no phone number, when the reason names one, or the secret of the service is not known here; Forbidden
   */
  remove: (actor: Actor, accountId: string, one: { phone: string; reason?: string | undefined }) => Promise<boolean>
  /** @returns whether it had not opted out before, or of less. @throws as `remove` */
  add: (actor: Actor, accountId: string, one: { phone: string; category: OptOutCategory }) => Promise<boolean>
  /** @returns how live messages stand: of what, who told first and when; undefined where it has not opted out. @throws as `remove` */
  find: (actor: Actor, accountId: string, phone: string) => Promise<KnownOptOut | undefined>
  /**
   * All of them or none, in one transaction. Those that had opted out before stay as they are: it may be repeated.
   *
   * @returns how many had not opted out before, or of less. @throws as `remove`
   */
  import: (actor: Actor, accountId: string, list: OptOutList) => Promise<number>
  /** Of live messages, the latest first. @throws Forbidden */
  list: (
    actor: Actor,
    accountId: string,
    page: { after: OptOutPlace | undefined; count: number },
  ) => Promise<ListedOptOut[]>
  /** All of live messages; it is written down. @throws Refusal while too many of the account's exports are under way, Forbidden */
  export: (actor: Actor, accountId: string) => Promise<OptOutExport>
  /** Of live messages, by source and category; of more than `countMax`, so many are counted. @throws Forbidden */
  count: (actor: Actor, accountId: string) => ReturnType<typeof countOptOuts>
}

/** Opt-outs as they are read for a file: each page when it is asked for; between two of them no connection is held. */
export interface OptOutExport {
  /** The latest first. `isCut`: the export ends here, and there may be more. @throws Forbidden, Problem */
  pages: AsyncIterable<{ optOuts: ListedOptOut[]; isCut: boolean }>
  /** Must be called, however it ends. */
  end: () => void
}

/** Of one file, and of one page of it. */
const [exportMax, exportPage] = [1_000_000, 1000]

/** Phones that differ from each other, and what they opt out of. */
export interface OptOutList {
  phones: readonly string[]
  category: OptOutCategory
}

export interface ManagedOptOutsParts {
  commit: ActCommit
  /** Undefined: they are not known here. */
  secrets: Secrets | undefined
  events: Pick<Events, 'tellOptOuts'>
  runtime: Pick<Runtime, 'now'>
  /** Of this process, those of messages too. */
  exports: Exports
}

const modes = ['live', 'test'] as const
/** Opt-outs that are counted for a page. */
export const countMax = 100_000

export function createManagedOptOuts(parts: ManagedOptOutsParts): ManagedOptOuts {
  const { commit, runtime } = parts
  const { open, require } = createOpenOptOuts(parts)
  const inModes = (one: Omit<OptOutNews, 'mode' | 'at'>) => inBothModes({ ...one, at: runtime.now() })

  return {
    remove: async (actor, accountId, { phone: typed, reason: why }) => {
      requireRole(actor, 'owner', accountId)
      const phone = requirePhone(typed)
      const reason = readReason(why)
      const optOuts = await open()
      if (!optOuts) return false
      return commit.as(actor).transaction(async (tx, note) => {
        const wasOptedOut = (await optOuts.remove(tx, inModes({ accountId, phone, source: sourceOf(actor) }))) > 0
        if (wasOptedOut)
          await note({ accountId, act: 'opt-out.removed', subject: maskPhone(phone), detail: { reason } })
        return wasOptedOut
      })
    },
    add: async (actor, accountId, { phone: typed, category }) => {
      requireRole(actor, 'developer', accountId)
      const phone = requirePhone(typed)
      const optOuts = await require()
      return commit.as(actor).transaction(async (tx, note) => {
        const added = await optOuts.addNew(tx, inModes({ accountId, phone, category, source: sourceOf(actor) }))
        if (added > 0) await note({ accountId, act: 'opt-out.added', subject: maskPhone(phone), detail: { category } })
        return added > 0
      })
    },
    find: async (actor, accountId, typed) => {
      requireRole(actor, 'developer', accountId)
      const phone = requirePhone(typed)
      const [known] = (await (await open())?.find(commit.reader, [{ accountId, mode: 'live', phone }])) ?? []
      return known
    },
    import: createOptOutImport(parts, require),
    ...createOptOutList(commit),
    export: createOptOutExport(parts),
    ...createManagedKeywords(parts),
  }
}

function inBothModes(one: Omit<OptOutNews, 'mode'>): OptOutNews[] {
  return modes.map((mode) => ({ ...one, mode }))
}

/** In parts, so that an account with a long list holds up no other one. */
function createOptOutImport(
  { commit, runtime }: Pick<ManagedOptOutsParts, 'commit' | 'runtime'>,
  requireOptOuts: () => Promise<OptOuts>,
): ManagedOptOuts['import'] {
  return async (actor, accountId, { phones: typed, category }) => {
    requireRole(actor, 'owner', accountId)
    if (typed.length > phonesAtOnceMax) throw new Refusal(`At most ${phonesAtOnceMax} phones are read in at once.`)
    const optOuts = await requireOptOuts()
    const differing = new Map<string, { one: OptOutNews; rank: string }[]>()
    for await (const part of inTurns(typed, phonesInOneGo)) {
      for (const phone of part.map(requirePhone)) {
        const both = inBothModes({ accountId, phone, category, source: 'import', at: runtime.now() })
        differing.set(
          onePhone(phone),
          both.map((one) => ({ one, rank: nameOf(optOuts.keyOf(one)) })),
        )
      }
    }
    // All parts in one order: two transactions that write the same phones do so one after the other.
    const news = inOrder([...differing.values()].flat(), ({ rank }) => rank).map(({ one }) => one)
    return commit.as(actor).transaction(async (tx, note) => {
      let added = 0
      for await (const part of inTurns(news, phonesInOneGo)) added += await optOuts.addNew(tx, part)
      const detail = { added: added / modes.length, category }
      await note({ accountId, act: 'opt-outs.imported', subject: `${differing.size} phones`, detail })
      return detail.added
    })
  }
}

/** What is done with phones needs the key that they are hashed with. */
function createOpenOptOuts({ commit, secrets, events }: Pick<ManagedOptOutsParts, 'commit' | 'secrets' | 'events'>) {
  /** @returns undefined where no service has run on this database yet */
  const open = async (): Promise<OptOuts | undefined> => {
    if (!secrets) throw new Refusal(needsSecret)
    const key = await findLookupKey(commit.reader, secrets)
    return key && createOptOuts({ lookup: { key }, events })
  }
  const require = async (): Promise<OptOuts> => {
    const optOuts = await open()
    if (!optOuts) throw new Refusal('No service has run on this database yet: start it once.')
    return optOuts
  }
  return { open, require }
}

function createOptOutList({ reader }: Pick<ActCommit, 'reader'>): Pick<ManagedOptOuts, 'list' | 'count'> {
  return {
    list: async (actor, accountId, page) => {
      requireRole(actor, 'viewer', accountId)
      return listOptOuts(reader, { accountId, mode: 'live' }, page)
    },
    count: async (actor, accountId) => {
      requireRole(actor, 'viewer', accountId)
      return countOptOuts(reader, { accountId, mode: 'live' }, countMax)
    },
  }
}

function createOptOutExport(parts: ManagedOptOutsParts): ManagedOptOuts['export'] {
  async function* findPages(
    actor: Actor,
    accountId: string,
  ): AsyncGenerator<{ optOuts: ListedOptOut[]; isCut: boolean }> {
    let after: OptOutPlace | undefined
    for (let left = exportMax; left > 0; left -= exportPage) {
      const optOuts = await readExported(parts, actor, () =>
        listOptOuts(parts.commit.reader, { accountId, mode: 'live' }, { after, count: exportPage }),
      )
      const isLast = optOuts.length < exportPage
      yield { optOuts, isCut: !isLast && left <= exportPage }
      if (isLast) return
      after = optOuts.at(-1)
    }
  }
  return async (actor, accountId) => {
    const end = await beginExport(parts, actor, { accountId, act: 'opt-outs.exported', subject: 'all' })
    return { pages: findPages(actor, accountId), end }
  }
}

const reasonCharactersMax = 200

/** @throws Refusal where it is too long, or could name a phone: the audit has those masked */
function readReason(text: string | undefined): string | undefined {
  const reason = text?.trim() || undefined
  if (reason !== undefined && reason.length > reasonCharactersMax)
    throw new Refusal(`The reason has more than ${reasonCharactersMax} characters.`)
  if (/\d(?:[\s().-]*\d){6}/.test(reason ?? ''))
    throw new Refusal('The reason has seven digits or more, which could be a phone number: leave them out.')
  return reason
}

const needsSecret =
  'Phones that opted out are kept as hashes under the secret of the service: set WATCHWORD_SECRET to the same value as the service.'

function sourceOf(actor: Actor): OptOutSource {
  return actor.kind === 'operator' ? 'operator' : 'person'
}
