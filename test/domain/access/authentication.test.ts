import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { type Changes, createActCommit } from '../../../src/domain/access/act.ts'
import { createApiKeys } from '../../../src/domain/access/apiKey.ts'
import { createAuthentication } from '../../../src/domain/access/authentication.ts'
import { newKey } from '../../../src/domain/access/keyText.ts'
import { createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { isUnavailable } from '../../../src/store/engine/failure.ts'
import { acting, testOperator } from '../../support/acting.ts'
import { createDatabase } from '../../support/database.ts'
import { createLateReads } from '../../support/lateReads.ts'
import { testRuntime } from '../../support/runtime.ts'

it('a key with a typo is refused without the database, even while that is away', async () => {
  const away = await connect({ kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none', connectionsMax: 2 })
  try {
    const { authenticate } = createAuthentication({
      commit: createCommit(away, commitOptions(away)),
      runtime: testRuntime(),
    })
    const key = newKey('test')
    const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    expect(() => authenticate(typo)).toThrow(expect.objectContaining({ code: 'invalid_api_key', status: 401 }))
    await expect(authenticate(key)).rejects.toSatisfy(isUnavailable)
  } finally {
    await away.close()
  }
})

/** What authenticates a key of a database of its own. */
async function withKey() {
  const test = await createDatabase()
  const database = await connect(test.settings)
  const commit = createCommit(database, commitOptions(database))
  const late = createLateReads(commit)
  const runtime = testRuntime()
  const authentication = createAuthentication({ commit: late.commit, runtime })
  const changes: Changes = new EventEmitter()
  changes.on('act', authentication.forget)
  const acts = createActCommit(commit, { runtime, changes })
  const apiKeys = acting(createApiKeys({ commit: acts, runtime }), testOperator)
  const about = { accountId: 'acct_default', name: 'a test', mode: 'test', scopes: [], expiresAt: null } as const
  const { key, row } = await apiKeys.create(about)
  const close = async () => {
    await database.close()
    await test.drop()
  }
  return { key, id: row.id, late, runtime, apiKeys, authenticate: authentication.authenticate, close }
}

it('a key in use is read again beside its requests: none of them waits for the database', async () => {
  const { key, id, late, runtime, authenticate, close } = await withKey()
  try {
    await authenticate(key)
    for (let time = 0; time < 3; time++) {
      runtime.advance(3)
      const held = late.holdNext()
      expect(authenticate(key)).toMatchObject({ keyId: id })
      await held.arrived
      held.release()
      // What has been read counts from now on.
      await new Promise(setImmediate)
    }
  } finally {
    await close()
  }
})

describe('a key that is revoked while the database is being asked for it', () => {
  it('is refused to whoever waits for that answer, and to whoever comes later', async () => {
    const { key, id, late, apiKeys, authenticate, close } = await withKey()
    try {
      const ask = async () => authenticate(key)
      const held = late.holdNext()
      const earlier = Promise.allSettled([ask()])
      await held.arrived
      await apiKeys.revoke(id)
      const meanwhile = Promise.allSettled([ask()])
      held.release()
      const revoked = expect.objectContaining({ code: 'revoked_api_key' })
      expect(await earlier).toEqual([{ status: 'rejected', reason: revoked }])
      expect(await meanwhile).toEqual([{ status: 'rejected', reason: revoked }])
      await expect(ask()).rejects.toEqual(revoked)
    } finally {
      await close()
    }
  })
})
