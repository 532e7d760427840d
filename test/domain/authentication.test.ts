import { expect, it } from 'vitest'
import { groupLimits } from '../../src/admin.ts'
import { createAuthentication } from '../../src/domain/authentication.ts'
import { newKey } from '../../src/domain/keyText.ts'
import { createCommit } from '../../src/store/commit.ts'
import { connect } from '../../src/store/connect.ts'
import { isUnavailable } from '../../src/store/failure.ts'
import { testRuntime } from '../support/runtime.ts'

it('a key with a typo is refused without the database, even while that is away', async () => {
  const away = await connect({ kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none', connectionsMax: 2 })
  try {
    const { authenticate } = createAuthentication({
      commit: createCommit(away, groupLimits(away)),
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
