/** What an inlet answers to a post that is not as it must be: nothing in the words of a library, and no regular expression. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultAccount } from '../../src/domain/access/account.ts'
import { foreignWords, wrongOnes } from '../support/foreignWords.ts'
import { startServer, type TestServer } from '../support/server.ts'

const password = 'acme:the-secret-of-this-inlet'

let server: TestServer
let url: string
beforeAll(async () => {
  server = await startServer()
  const { id } = await server.app.accounts.require(defaultAccount)
  const settings = { phone: 'phoneNumber', text: 'textMessage', user: 'userId' }
  await server.app.inlets.apply(id, [{ id: 'login', kind: 'plain', mode: 'test', secret: password, settings }])
  url = `${server.url}/inlets/${id}/login`
})
afterAll(() => server?.close())

it('is told in words of its own what is wrong with any part of a post', async () => {
  const good = { phoneNumber: '+14155550100', textMessage: 'Your code is 482913', userId: 'ada' }
  const bodies = [...wrongOnes(good)].map((body) => JSON.stringify(body) ?? '')
  const found = new Set<string>()
  let refusals = 0
  for (const body of [...bodies, '{', '{"a":1,}', '\u0000']) {
    const response = await fetch(url, {
      ...{ method: 'POST', body },
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(password)}` },
    })
    const text = await response.text()
    expect(response.status, body).toBeLessThan(500)
    if (response.status < 400) continue
    refusals += 1
    for (const words of foreignWords(text)) found.add(words)
  }
  expect(refusals).toBeGreaterThan(20)
  expect([...found]).toEqual([])
})
