/** API keys: how one is made, recognised, and what it lets its holder do. The key itself is never kept. */
import type { Runtime } from '../runtime.ts'
import {
  type ApiKeyRow,
  findApiKey,
  findApiKeysByHash,
  insertApiKey,
  listApiKeys,
  replaceApiKey,
  revokeApiKey,
} from '../store/apiKey.ts'
import type { Mode } from '../store/schema.ts'
import { type Authentication, type AuthenticationParts, createAuthentication } from './authentication.ts'
import { hashOf, hintOf, newKey } from './keyText.ts'
import { requireName } from './name.ts'
import { Refusal } from './refusal.ts'

export interface NewKey {
  accountId: string
  name: string
  mode: Mode
  scopes: readonly string[]
  expiresAt: Date | null
}

export interface ApiKeys {
  authenticate: Authentication['authenticate']
  /** @returns the row, and the key itself for the only time @throws Refusal when the name is none */
  create: (input: NewKey) => Promise<{ key: string; row: ApiKeyRow }>
  /** Records a key that was made before. */
  register: (key: string, input: NewKey) => Promise<ApiKeyRow>
  /** Whether a key is on record, good or not. */
  knows: (key: string) => Promise<boolean>
  list: () => Promise<(ApiKeyRow & { account: string })[]>
  /** @throws Refusal when there is no such key, or it was revoked before */
  revoke: (id: string) => Promise<void>
  /**
   * Makes a key like another one, with as long a life from now on; the old one ends after the overlap.
   *
   * @throws Refusal when there is no such key, it is not good any more, or was rolled before
   */
  roll: (id: string, overlapSeconds: number) => Promise<{ key: string; row: ApiKeyRow; endsAt: Date }>
}

export function createApiKeys(parts: AuthenticationParts): ApiKeys {
  const { commit, runtime } = parts
  const { authenticate, forget } = createAuthentication(parts)

  const register = async (key: string, input: NewKey): Promise<ApiKeyRow> => {
    const row = rowOf(key, input, runtime)
    await commit.transaction((tx) => insertApiKey(tx, row))
    forget()
    return row
  }

  return {
    authenticate,
    create: async (input) => {
      const name = requireName('A key', input.name)
      const key = newKey(input.mode)
      return { key, row: await register(key, { ...input, name }) }
    },
    register,
    knows: async (key) => (await findApiKeysByHash(commit.reader, [hashOf(key)]))[0] !== undefined,
    list: () => listApiKeys(commit.reader),
    revoke: async (id) => {
      await requireKey(id)
      const revoked = await commit.transaction((tx) => revokeApiKey(tx, id, runtime.now()))
      if (!revoked) throw new Refusal(`The key ${id} was revoked before.`)
      forget()
    },
    roll: async (id, overlapSeconds) => {
      const old = await requireKey(id)
      const now = runtime.now()
      if (old.revokedAt) throw new Refusal(`The key ${id} is revoked; make a new one.`)
      if (old.expiresAt && old.expiresAt <= now) throw new Refusal(`The key ${id} has expired; make a new one.`)
      const endsAt = new Date(now.getTime() + overlapSeconds * 1000)
      // As long a life as the old one was given, from now on.
      const expiresAt = old.expiresAt && new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime())
      const key = newKey(old.mode)
      const row = rowOf(key, { ...old, expiresAt }, runtime)
      await commit.transaction(async (tx) => {
        if (!(await replaceApiKey(tx, id, row.id, endsAt))) throw new Refusal(`The key ${id} was rolled before.`)
        await insertApiKey(tx, row)
      })
      forget()
      return { key, row, endsAt: old.expiresAt && old.expiresAt < endsAt ? old.expiresAt : endsAt }
    },
  }

  async function requireKey(id: string): Promise<ApiKeyRow> {
    const found = await findApiKey(commit.reader, id)
    if (!found) throw new Refusal(`There is no key ${id}.`)
    return found
  }
}

function rowOf(key: string, input: NewKey, runtime: Pick<Runtime, 'now' | 'newId'>): ApiKeyRow {
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
    replacedBy: null,
  }
}
