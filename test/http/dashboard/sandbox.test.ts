/** Developers › Sandbox phone. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { putSandboxTexts } from '../../support/sandboxText.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let developer: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  developer = await signIn(server, 'developer')
})
afterAll(() => server.close())

const show = async (phone: string) => (await developer.get(`/sandbox?phone=${encodeURIComponent(phone)}`)).text
const bubbles = (text: string) =>
  [...text.matchAll(/<article class="arrival"><p dir="auto">(.*?)<\/p>/gs)].map(([, one]) => one)

it('says what to do while nothing has arrived', async () => {
  const { text } = await developer.get('/sandbox')
  expect(text).toContain('Nothing has arrived yet')
  expect(text).toContain('<form method="post" action="/sandbox"')
})

it('gets a code that a developer sends from the page, in the form in which phones are typed', async () => {
  const phone = newPhone()
  const { text } = await developer.submit('/sandbox', { phone: ` ${phone.slice(0, 5)} ${phone.slice(5)}` })
  expect(text).toContain('A code is on its way to the sandbox phone.')
  await server.work()
  expect(bubbles(await show(phone))).toEqual([expect.stringContaining('000000')])
})

it('gets no code from what is no phone, nor from a viewer', async () => {
  expect((await developer.submit('/sandbox', { phone: 'me' })).text).toContain(
    'Cannot read this as a phone number: it has letters.',
  )
  const viewer = await signIn(server, 'viewer')
  expect((await viewer.post('/sandbox', { phone: newPhone() })).status).toBe(403)
})

it('shows what a phone got, with the code and a link to its message, and asks again by itself', async () => {
  const [phone, other] = [newPhone(), newPhone()]
  const id = await server.test.send(phone)
  await server.work()
  await server.advance(60)
  await server.test.send(other)
  await server.work()
  const text = await show(phone)
  expect(text).toContain('data-live="2"')
  expect(bubbles(text)).toEqual([expect.stringContaining('000000')])
  expect(text).toContain(`href="/messages/${id}"`)
  // The phone that got the latest is the first of the list, and the one that is shown unless another is chosen.
  expect(text.indexOf(`>${other}<`)).toBeLessThan(text.indexOf(`>${phone}<`))
  expect((await developer.get('/sandbox')).text).toContain(`aria-label="The phone ${other}"`)
})

it('shows texts as they are: markup, other directions, emoji, lines', async () => {
  const phone = newPhone()
  const words = ['<img src=x onerror=alert(1)>', 'رمزك هو 123456', '👩‍👩‍👧 ok', 'one\ntwo']
  const texts = words.map((text, n) => ({
    ...{ id: `req_${server.runtime.newId()}`, phone, text },
    at: new Date(server.runtime.now().getTime() + n).toISOString(),
  }))
  await putSandboxTexts(server, texts)
  server.runtime.advance(1)
  expect(bubbles(await show(phone))).toEqual([
    'one\ntwo',
    '👩‍👩‍👧 ok',
    'رمزك هو 123456',
    '&#60;img src=x onerror=alert(1)&#62;',
  ])
})

it('tells clocks and days by one zone, each day once', async () => {
  const phone = newPhone()
  const times = ['2020-03-01T23:59:58Z', '2020-03-02T00:00:01Z']
  await putSandboxTexts(
    server,
    times.map((at) => ({ id: `req_${server.runtime.newId()}`, phone, text: 'a text', at })),
  )
  const thread = (await show(phone)).split('role="log"')[1] ?? ''
  expect([...thread.matchAll(/>(\d\d:\d\d:\d\d UTC|\d+ Mar 2020, UTC)</g)].map(([, one]) => one)).toEqual([
    ...['00:00:01 UTC', '2 Mar 2020, UTC'],
    ...['23:59:58 UTC', '1 Mar 2020, UTC'],
  ])
  expect(thread).not.toContain('class="day" hidden')
})

it('is for those who build, and shows nothing of another account', async () => {
  expect((await (await signIn(server, 'viewer')).get('/sandbox')).status).toBe(403)
  const phone = newPhone()
  await server.test.send(phone)
  await server.work()
  await server.app.accounts.create('other')
  const other = await signIn(server, 'developer', { account: 'other' })
  expect((await other.get('/sandbox')).text).toContain('Nothing has arrived yet')
  expect(bubbles((await other.get(`/sandbox?phone=${encodeURIComponent(phone)}`)).text)).toEqual([])
})
