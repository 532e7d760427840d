/** The stories of the contract, which `test/contract/stories.test.ts` plays on the mock. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { extraScopes, scopes } from '../../src/contract/document.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { endedWell, playStories } from '../support/stories.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('plays every story of stories.arazzo.yaml to its end', async () => {
  const ended = new AbortController()
  const playing = playStories({
    url: server.url,
    key: await server.key({ scopes: [...scopes, ...extraScopes] }),
    now: server.runtime.now(),
  }).finally(() => ended.abort())
  // The worker goes on meanwhile, as it does in a running service.
  while (!ended.signal.aborted) {
    await server.work()
    await setTimeout(50, undefined, { signal: ended.signal }).catch(() => {})
  }
  expect(await playing).toEqual(endedWell)
})
