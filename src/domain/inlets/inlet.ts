/** Inlets: where other systems post what is to be sent, and what proves that they do. */
import { isDeepStrictEqual } from 'node:util'
import { atPlace, type PlacedFault } from '../../kit/reading/formFaults.ts'
import { placedRefusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import {
  findInlets,
  type InletKey,
  type InletRow,
  type KeptPost,
  listAccountsWithInlets,
  replaceInlets,
  sealedInlets,
} from '../../store/inlets/inlet.ts'
import type { Mode } from '../../store/schema/columns.ts'
import type { ActCommit } from '../access/act.ts'
import { type Actor, may, requireRole, sees } from '../access/actor.ts'
import { openSealed, type Resealed, reseal } from '../access/reseal.ts'
import { requireSecrets, type Secrets } from '../access/secret.ts'
import { type InletEntry, type InletEntryParts, type InletSettings, readInlets } from './inletEntry.ts'

export interface ListedInlet {
  id: string
  kind: string
  /** What people call the system that posts; the name of the kind where this version has none such. */
  title: string
  mode: Mode
  /** Where the system posts to, at the API's address. */
  path: string
  /** Undefined for who may not see them, and where they cannot be opened here. */
  secrets: readonly string[] | undefined
  settings: InletSettings
  updatedAt: Date
  /** The last ones, the latest first; seconds late. */
  posts: readonly KeptPost[]
}

/** An inlet with its secrets; undefined where they cannot be opened here. */
export interface OpenedInlet extends InletKey {
  kind: string
  mode: Mode
  settings: InletSettings
  secrets: readonly string[] | undefined
}

export interface Inlets {
  /**
   * Makes the list of an account this one: all of it, or nothing when anything is wrong with it. What is kept of the last posts
   * stays with what was there before.
   *
   * @returns the ids of what is new or has changed, and of what is gone
   * @throws Refusal which names everything that is wrong, and no value; Forbidden
   */
  apply: (
    actor: Actor,
    accountId: string,
    list: readonly unknown[],
  ) => Promise<{ changed: string[]; removed: string[] }>
  /** In the order of their ids. */
  list: (actor: Actor, accountId: string) => Promise<ListedInlet[]>
  open: (row: InletRow) => OpenedInlet
  /** Whether any account has one. */
  haveAny: () => Promise<boolean>
  /** Seals again what is sealed under another than the first secret. */
  reseal: () => Promise<Resealed>
}

export interface InletParts extends InletEntryParts {
  commit: ActCommit
  /** Undefined: they are not known here, and nothing can be sealed or opened. */
  secrets: Secrets | undefined
  runtime: Pick<Runtime, 'now'>
}

export function createInlets(parts: InletParts): Inlets {
  const { commit, secrets, runtime, kinds } = parts
  const open = (row: InletRow): OpenedInlet => {
    const { accountId, id, kind, mode, settings } = row
    return { accountId, id, kind, mode, settings, secrets: secrets && openInletSecrets(secrets, row) }
  }
  return {
    apply: async (actor, accountId, list) => {
      requireRole(actor, 'owner', accountId)
      const held = requireSecrets(secrets, 'inlets')
      const { entries, faults } = readInlets(list, parts)
      if (faults.length > 0) throw placedRefusal(faults, (fault) => inletFaultText(fault, list))
      return commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const [before = []] = await findInlets(tx, [accountId])
        const byId = new Map(before.map((row) => [row.id, row]))
        const written = entries.filter((entry) => findChanges(held, byId.get(entry.id), entry).length > 0)
        const updatedAt = runtime.now()
        const rows = written.map((entry) => toInletRow(held, { accountId, updatedAt }, entry))
        const ids = entries.map(({ id }) => id)
        await replaceInlets(tx, accountId, ids, rows)
        const changed = written.map(({ id }) => id)
        const removed = before.map(({ id }) => id).filter((id) => !ids.includes(id))
        const told = written.map((entry) => changeText(held, byId.get(entry.id), entry))
        if (changed.length + removed.length > 0)
          await note({ accountId, act: 'inlets.applied', subject: accountId, detail: { ids, changed: told, removed } })
        return { changed, removed }
      })
    },
    list: async (actor, accountId) => {
      if (!sees(actor, accountId)) return []
      const [found = []] = await findInlets(commit.reader, [accountId])
      return found.map((row) => {
        const { id, kind, mode, settings, updatedAt, posts } = row
        const title = kinds.find(kind)?.title ?? kind
        const shown = may(actor, 'owner') ? open(row).secrets : undefined
        return { id, kind, title, mode, path: inletPathOf(row), secrets: shown, settings, updatedAt, posts }
      })
    },
    open,
    haveAny: async () => (await listAccountsWithInlets(commit.reader, 1)).length > 0,
    reseal: () => reseal(commit, requireSecrets(secrets, 'inlets'), { contextOf: inletContextOf, ...sealedInlets }),
  }
}

/** `"supabase-prod", secret: must …`, or `inlet 2: …` for one that has no id. */
function inletFaultText({ path: [index, ...path], fault }: PlacedFault, list: readonly unknown[]): string {
  const id = (list[index as number] as { id?: unknown } | null)?.id
  const label = typeof id === 'string' && /^[a-z0-9-]{1,32}$/.test(id) ? `"${id}"` : `inlet ${Number(index) + 1}`
  return index === undefined ? fault : atPlace(path, fault, label)
}

/** Where the system posts to, at the API's address. */
function inletPathOf({ accountId, id }: InletKey): string {
  return `/inlets/${accountId}/${id}`
}

/** @param secrets those that it is sealed with */
export function toInletRow(
  secrets: Secrets,
  { accountId, updatedAt }: Pick<InletRow, 'accountId' | 'updatedAt'>,
  { id, kind, mode, secrets: own, settings }: InletEntry,
): InletRow {
  const sealed = secrets.seal(JSON.stringify(own), inletContextOf({ accountId, id }))
  return { accountId, id, kind, mode, settings: { ...settings }, sealed, updatedAt, posts: [] }
}

/** `supabase-prod (mode, secret)`: what the audit says of an inlet. It has the names of what changed, and no value. */
function changeText(secrets: Secrets, row: InletRow | undefined, entry: InletEntry): string {
  return `${entry.id} (${findChanges(secrets, row, entry).join(', ')})`
}

/**
 * What is sealed is never the same twice: what it was made of is compared.
 *
 * @returns the members of an entry that are others than before, by the names that a list has; `new` for one that was not there
 */
function findChanges(secrets: Secrets, row: InletRow | undefined, entry: InletEntry): string[] {
  if (!row) return ['new']
  const { brandName, locale, autofill, places } = entry.settings
  const { settings: before }: { settings: InletSettings } = row
  const members: Record<string, readonly [unknown, unknown]> = {
    kind: [row.kind, entry.kind],
    mode: [row.mode, entry.mode],
    secret: [openInletSecrets(secrets, row), entry.secrets],
    brand_name: [before.brandName, brandName],
    locale: [before.locale, locale],
    autofill: [before.autofill, autofill],
    settings: [before.places, places],
  }
  return Object.entries(members).flatMap(([name, [old, now]]) => (isDeepStrictEqual(old, now) ? [] : [name]))
}

/** @returns undefined when none of our secrets opens them */
function openInletSecrets(secrets: Secrets, row: InletRow): string[] | undefined {
  const plain = openSealed(secrets, row.sealed, inletContextOf(row))
  return plain === undefined ? undefined : (JSON.parse(plain) as string[])
}

/** What the secrets of an inlet are bound to. */
function inletContextOf({ accountId, id }: InletKey): string {
  return `inlet/${accountId}/${id}`
}
