/** API keys: how one is made, recognised, and what it lets its holder do. The key itself is never kept. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import type { Runtime } from '../runtime.ts'
import {
  type ApiKeyRow,
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeys,
  replaceApiKey,
  revokeApiKey,
  touchApiKey,
} from '../store/apiKey.ts'
import { type Session, transaction } from '../store/connect.ts'
import type { Mode } from '../store/schema.ts'
import { requireName } from './name.ts'
import { Refusal } from './refusal.ts'

/** Who makes a request. */
export interface Caller {
  accountId: string
  keyId: string
  mode: Mode
  scopes: readonly string[]
}

export interface NewKey {
  accountId: string
  name: string
  mode: Mode
  scopes: readonly string[]
  expiresAt: Date | null
}

export interface ApiKeys {
  /**
   * @param presented the key as the caller sent it
   * @throws Problem `invalid_api_key`, `revoked_api_key`, `expired_api_key`
   */
  authenticate: (presented: string) => Promise<Caller>
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

/** Milliseconds that a key is taken as it was read: a revocation is seen by every process within 5 seconds. */
const cacheMs = 4000
const cacheSize = 10_000
/** Milliseconds between two writes of a key's last use. */
const touchMs = 60_000

export function createApiKeys(session: Session, runtime: Runtime): ApiKeys {
  const cache = new LRUCache<string, { row: ApiKeyRow; readAt: number; touchedAt: number }>({ max: cacheSize })

  const register = async (key: string, input: NewKey): Promise<ApiKeyRow> => {
    const row = rowOf(key, input, runtime)
    await insertApiKey(session, row)
    return row
  }

  return {
    authenticate: async (presented) => {
      if (!isWellFormed(presented)) throw new Problem('invalid_api_key')
      const hash = hashOf(presented)
      const now = runtime.now().getTime()
      const cacheKey = hash.toString('base64')
      let known = cache.get(cacheKey)
      if (!known || now - known.readAt >= cacheMs) {
        const row = await findApiKeyByHash(session, hash)
        if (!row) throw new Problem('invalid_api_key')
        known = { row, readAt: now, touchedAt: known?.touchedAt ?? row.lastUsedAt?.getTime() ?? 0 }
        cache.set(cacheKey, known)
      }
      const { row } = known
      if (row.revokedAt && row.revokedAt.getTime() <= now) throw new Problem('revoked_api_key')
      if (row.expiresAt && row.expiresAt.getTime() <= now) throw new Problem('expired_api_key')
      if (now - known.touchedAt >= touchMs) {
        known.touchedAt = now
        touch(row, now)
      }
      return { accountId: row.accountId, keyId: row.id, mode: row.mode, scopes: row.scopes }
    },
    create: async (input) => {
      const name = requireName('A key', input.name)
      const key = newKey(input.mode)
      return { key, row: await register(key, { ...input, name }) }
    },
    register,
    knows: async (key) => (await findApiKeyByHash(session, hashOf(key))) !== undefined,
    list: () => listApiKeys(session),
    revoke: async (id) => {
      await requireKey(id)
      if (!(await revokeApiKey(session, id, runtime.now()))) throw new Refusal(`The key ${id} was revoked before.`)
      cache.clear()
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
      await transaction(session, async (tx) => {
        if (!(await replaceApiKey(tx, id, row.id, endsAt))) throw new Refusal(`The key ${id} was rolled before.`)
        await insertApiKey(tx, row)
      })
      cache.clear()
      return { key, row, endsAt: old.expiresAt && old.expiresAt < endsAt ? old.expiresAt : endsAt }
    },
  }

  async function requireKey(id: string): Promise<ApiKeyRow> {
    const found = await findApiKey(session, id)
    if (!found) throw new Refusal(`There is no key ${id}.`)
    return found
  }

  /** Beside the request: that it fails is no reason to refuse the caller. */
  function touch(row: ApiKeyRow, now: number): void {
    touchApiKey(session, row, new Date(now), new Date(now - touchMs)).catch((error: unknown) =>
      runtime.log.warn({ err: error, key_id: row.id }, 'could not write the last use of a key'),
    )
  }
}

function rowOf(key: string, input: NewKey, runtime: Pick<Runtime, 'now' | 'newId'>): ApiKeyRow {
  return {
    accountId: input.accountId,
    id: `key_${runtime.newId()}`,
    name: input.name,
    mode: input.mode,
    scopes: [...input.scopes],
    hash: hashOf(key),
    hint: key.slice(0, key.lastIndexOf('_') + 1 + hintLength),
    createdAt: runtime.now(),
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 bytes in base62 take 43 characters at most, a CRC-32 takes 6. */
const secretLength = 43
const checksumLength = 6
const hintLength = 4
const form = new RegExp(`^ww_(live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** `ww_live_` or `ww_test_`, 32 random bytes in base62, and a checksum that finds a typo without a database. */
export function newKey(mode: Mode): string {
  const body = `ww_${mode}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)}`
  return body + checksumOf(body)
}

export function isWellFormed(key: string): boolean {
  return form.test(key) && checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
