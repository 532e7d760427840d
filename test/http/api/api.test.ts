/** The customer's door, with something behind it that breaks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { type ApiParts, createApi } from '../../../src/http/api/api.ts'
import { ownWire } from '../../../src/http/api/wire.ts'
import { readAnswer } from '../../support/client.ts'
import { testRuntime } from '../../support/runtime.ts'

const parts: Omit<ApiParts, 'runtime'> = {
  wire: ownWire,
  pipeline: () => Promise.reject(new Error('never asked')),
  published: () => undefined,
  before: [],
  isStopping: () => true,
  onAnswer: () => {},
}

it.each<[string, Partial<ApiParts>]>([
  ['a page that does not answer', { published: () => (_request, _response, fail) => fail(undefined) }],
  ['an operation', { pipeline: () => Promise.reject() }],
])('what fails without a reason is in the log all the same: %s', async (_what, broken) => {
  const runtime = testRuntime()
  const server = createServer(createApi({ ...parts, ...broken, runtime }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const answer = await readAnswer<{ code: string }>(await fetch(`http://127.0.0.1:${port}/`))
    expect([answer.status, answer.data.code]).toEqual([500, 'internal_error'])
    const logged = runtime.lines.map((line) => JSON.parse(line) as { msg: string; err?: object })
    expect(logged.find(({ msg }) => msg === 'internal_error')?.err).toMatchObject({
      message: expect.stringContaining('did not say why'),
    })
  } finally {
    server.close()
  }
})
