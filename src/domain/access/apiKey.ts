/** API keys: how one is made, replaced and revoked. The key itself is never kept. */

import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import {
  type ApiKeyRow,
  findApiKey,
  findApiKeysByHash,
  insertApiKey,
  listApiKeys,
  replaceApiKey,
  revokeApiKey,
  setApiKeyScopes,
} from '../../store/access/apiKey.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { ActCommit, Note } from './act.ts'
import { type Actor, requireOperator, requireRole, seenAccount, sees } from './actor.ts'
import { hashOf, hintOf, newKey } from './keyText.ts'
import { requireName } from './name.ts'

export interface NewKey {
  accountId: string
  name: string
  mode: Mode
  scopes: readonly string[]
  expiresAt: Date | null
}

export interface ApiKeys {
  /** @returns the row, and the key itself for the only time @throws Refusal when the name is none, Forbidden */
  create: (actor: Actor, input: NewKey) => Promise<{ key: string; row: ApiKeyRow }>
  /** Records a key that was made before. */
  register: (actor: Actor, key: string, input: NewKey) => Promise<ApiKeyRow>
  /** Whether a key is on record, good or not. */
  knows: (key: string) => Promise<boolean>
  /** Gives a key that is on record these scopes, and no others. @throws Forbidden */
  setScopes: (actor: Actor, key: string, scopes: readonly string[]) => Promise<void>
  /** Those that the actor sees. */
  list: (actor: Actor) => Promise<(ApiKeyRow & { account: string })[]>
  /** @throws Refusal when there is no such key, or it was revoked before, Forbidden */
  revoke: (actor: Actor, id: string) => Promise<void>
  /**
   * Makes a key like another one, with as long a life from now on; the old one ends after the overlap.
   *
   * @throws Refusal when there is no such key, it is not good any more, or was rolled before, Forbidden
   */
  roll: (actor: Actor, id: string, overlapSeconds: number) => Promise<{ key: string; row: ApiKeyRow; endsAt: Date }>
}

export interface ApiKeyParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId'>
}

export function createApiKeys({ commit, runtime }: ApiKeyParts): ApiKeys {
  const register = async (actor: Actor, key: string, input: NewKey): Promise<ApiKeyRow> => {
    requireRole(actor, 'developer', input.accountId)
    const row = toRow(key, input, runtime)
    await commit.as(actor).transaction(async (tx, note) => {
      await insertApiKey(tx, row)
      await note(noteOf('key.created', row))
    })
    return row
  }

  return {
    create: async (actor, input) => {
      const name = requireName('A key', input.name)
      const key = newKey(input.mode)
      return { key, row: await register(actor, key, { ...input, name }) }
    },
    register,
    knows: async (key) => (await findApiKeysByHash(commit.reader, [hashOf(key)]))[0] !== undefined,
    setScopes: async (actor, key, scopes) => {
      requireOperator(actor)
      await commit.transaction((tx) => setApiKeyScopes(tx, hashOf(key), scopes))
    },
    list: (actor) => listApiKeys(commit.reader, seenAccount(actor)),
    revoke: async (actor, id) => {
      const row = await requireKey(actor, id)
      await commit.as(actor).transaction(async (tx, note) => {
        if (!(await revokeApiKey(tx, id, runtime.now()))) throw new Refusal(`The key ${id} was revoked before.`)
        await note(noteOf('key.revoked', row))
      })
    },
    roll: async (actor, id, overlapSeconds) => {
      const old = await requireKey(actor, id)
      const now = runtime.now()
      if (old.revokedAt) throw new Refusal(`The key ${id} is revoked; make a new one.`)
      if (old.expiresAt && old.expiresAt <= now) throw new Refusal(`The key ${id} has expired; make a new one.`)
      const endsAt = new Date(now.getTime() + overlapSeconds * 1000)
      // As long a life as the old one was given, from now on.
      const expiresAt = old.expiresAt && new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime())
      const key = newKey(old.mode)
      const row = toRow(key, { ...old, expiresAt }, runtime)
      await commit.as(actor).transaction(async (tx, note) => {
        if (!(await replaceApiKey(tx, id, row.id, endsAt))) {
          throw new Refusal(`The key ${id} was rolled before, or revoked a moment ago.`)
        }
        await insertApiKey(tx, row)
        await note(noteOf('key.rolled', old, { to: row.id }))
      })
      return { key, row, endsAt: old.expiresAt && old.expiresAt < endsAt ? old.expiresAt : endsAt }
    },
  }

  async function requireKey(actor: Actor, id: string): Promise<ApiKeyRow> {
    const found = await findApiKey(commit.reader, id)
    if (!found || !sees(actor, found.accountId)) throw new Refusal(`There is no key ${id}.`)
    requireRole(actor, 'developer', found.accountId)
    return found
  }
}

function noteOf(act: string, { accountId, id, name, mode }: ApiKeyRow, detail: Record<string, unknown> = {}): Note {
  return { accountId, act, subject: id, detail: { name, mode, ...detail } }
}

function toRow(key: string, input: NewKey, runtime: Pick<Runtime, 'now' | 'newId'>): ApiKeyRow {
  return {
    accountId: input.accountId,
    id: `key_${runtime.newId()}`,
    name: input.name,
    mode: input.mode,
    scopes: [...input.scopes],
    hash: Buffer.from(hashOf(key), 'base64'),
    hint: hintOf(key),
    createdAt: runtime.now(),
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    lastUsedFrom: null,
    usedThatDay: 0,
    replacedBy: null,
  }
}
