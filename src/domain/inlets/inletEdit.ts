/** Inlets that an owner adds and removes one by one. */
import { Refusal } from '../../kit/refusal.ts'
import { lockAccount } from '../../store/access/account.ts'
import { findInlets, replaceInlets } from '../../store/inlets/inlet.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { requireSecrets } from '../access/secret.ts'
import { FaultyEntry } from '../channels/connectionEdit.ts'
import { type InletParts, toInletRow } from './inlet.ts'
import { type InletKind, inletsMax, readInlets } from './inletEntry.ts'

export interface InletEdits {
  /** In alphabetical order. Their files are read when somebody asks. */
  kinds: () => readonly EditableInletKind[]
  /**
   * @param entry as a file has one
   * @throws FaultyEntry with what is wrong, and no value; Refusal where there are too many; Forbidden
   */
  add: (actor: Actor, accountId: string, entry: Record<string, unknown>) => Promise<void>
  /** @throws Refusal for one that is not there, Forbidden */
  remove: (actor: Actor, accountId: string, id: string) => Promise<void>
}

export interface EditableInletKind {
  kind: string
  /** What people call the system that posts. */
  title: string
  /** What an inlet of it may say of where things are in a post. */
  settings: InletKind['settings']
}

export function createInletEdits(parts: InletParts): InletEdits {
  const { commit, secrets, runtime, kinds } = parts
  return {
    kinds: () =>
      kinds.names().flatMap((kind) => {
        const found = kinds.find(kind)
        return found ? { kind, title: found.title, settings: found.settings } : []
      }),
    add: async (actor, accountId, given) => {
      requireRole(actor, 'owner', accountId)
      const held = requireSecrets(secrets, 'inlets')
      const { entries, faults } = readInlets([given], parts)
      const [entry] = entries
      if (!entry || faults.length > 0)
        throw new FaultyEntry(faults.map(({ path: [, ...path], fault }) => ({ path, fault })))
      await commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const [before = []] = await findInlets(tx, [accountId])
        if (before.some(({ id }) => id === entry.id))
          throw new FaultyEntry([{ path: ['id'], fault: 'is the name of another inlet' }])
        if (before.length >= inletsMax) throw new Refusal(`An account has at most ${inletsMax} inlets.`)
        const ids = [...before.map(({ id }) => id), entry.id]
        const row = toInletRow(held, { accountId, updatedAt: runtime.now() }, entry)
        await replaceInlets(tx, accountId, ids, [row])
        await note({
          accountId,
          act: 'inlets.added',
          subject: entry.id,
          detail: { kind: entry.kind, mode: entry.mode },
        })
      })
    },
    remove: async (actor, accountId, id) => {
      requireRole(actor, 'owner', accountId)
      await commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const [before = []] = await findInlets(tx, [accountId])
        if (!before.some((row) => row.id === id)) throw new Refusal(`There is no inlet ${id}.`)
        await replaceInlets(
          tx,
          accountId,
          before.map((row) => row.id).filter((one) => one !== id),
          [],
        )
        await note({ accountId, act: 'inlets.removed', subject: id })
      })
    },
  }
}
