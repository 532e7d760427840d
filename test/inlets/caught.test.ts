/** A signed post that somebody has caught: it comes again, byte by byte, for as long as its signature is good. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import type { Post } from './players/post.ts'
import { zitadelPost } from './players/zitadel.ts'
import { applyInlets, bodyOf, entry, post, signedAt } from './site.ts'

const secret = 'the-secret-of-this-inlet'
const user = 'user-1'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await applyInlets(server, entry(), { id: 'zitadel', kind: 'zitadel', mode: 'live', secret })
})
afterAll(() => server.close())

/** As a system posts it whose clock is some seconds ahead of ours. */
const signs: Record<string, (phone: string, secondsAhead: number) => Post> = {
  'supabase-prod': (phone, secondsAhead) => {
    const body = bodyOf({ phone, code: '561166', user })
    return { headers: signedAt(clock(secondsAhead), body), body }
  },
  zitadel: (phone, secondsAhead) =>
    zitadelPost({ signingKeys: [secret], phone, code: '561166', text: 'It is 561166', now: clock(secondsAhead) }),
}
const clock = (secondsAhead: number) => new Date(server.runtime.now().getTime() + secondsAhead * 1000)
const posting = async (inlet: string, { headers, body }: Post) => (await post(server, body, { headers, inlet })).status
const messagesTo = async (phone: string) =>
  (await server.query(sql`select id from message where phone = ${phone}`)).length

describe.each(Object.entries(signs))('a post to %s that comes again as it was', (inlet, sign) => {
  it.each([0, 5, -5, 110])(
    'is a repeat until its signature is too old, from a clock that is %i s ahead',
    async (ahead) => {
      const phone = newPhone()
      const caught = sign(phone, ahead)
      for (const seconds of [0, 100, 25, 125, 44 + ahead]) {
        await server.advance(seconds)
        expect(await posting(inlet, caught)).toBe(200)
        expect(await messagesTo(phone)).toBe(1)
      }
      await server.advance(7)
      expect(await posting(inlet, caught)).toBe(401)
    },
  )

  it('is a repeat also of what the system has posted since, which is sent after two minutes', async () => {
    const phone = newPhone()
    const caught = sign(phone, 0)
    expect(await posting(inlet, caught)).toBe(200)
    await server.advance(119)
    expect(await posting(inlet, sign(phone, 0))).toBe(200)
    expect(await messagesTo(phone)).toBe(1)
    await server.advance(1)
    expect(await posting(inlet, sign(phone, 0))).toBe(200)
    expect(await messagesTo(phone)).toBe(2)
    for (const seconds of [5, 120, 50]) {
      await server.advance(seconds)
      expect(await posting(inlet, caught)).toBe(200)
    }
    expect(await messagesTo(phone)).toBe(2)
  })
})
