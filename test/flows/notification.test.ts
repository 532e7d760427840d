import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ErrorData } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const path = '/v1/notifications/send'
const template = 'welcome'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('fills the template and brings the text to the phone', async () => {
  const phone = newPhone()
  const answer = await server.live.post(path, { phone, template, variables: { name: 'Ada' } })
  expect(answer.data).toEqual({
    ...{ request_id: expect.stringMatching(/^req_/), status: 'queued' },
    template: { slug: template, version: 1, locale: 'und' },
  })
  const id = answer.data.request_id as string
  expect(await server.live.status(id)).toBe('queued')
  await server.work()
  await expect.poll(() => server.live.status(id)).toBe('delivered')
  expect((await server.phone(phone)).map(({ text }) => text)).toEqual(['Welcome, Ada!'])
})

it('has its reference wherever it is looked up, and is found by it', async () => {
  const [phone, reference] = [newPhone(), `order/${newPhone().slice(1)}`]
  const send = (more: object) =>
    server.test.post<{ request_id: string }>(path, { phone, template, variables: { name: 'Ada' }, ...more })
  const ids = await Promise.all([
    send({ reference }),
    send({ reference }),
    send({ reference: `${reference}-b` }),
    send({}),
  ])
  const [first, second, other, bare] = ids.map(({ data }) => data.request_id)
  const read = async (id: string | undefined) => (await server.test.get(`/v1/messages/${id}`)).data
  expect(await read(first)).toMatchObject({ reference })
  expect(await read(bare)).not.toHaveProperty('reference')

  const list = async (query: string) =>
    (
      await server.test.get<{ messages: { id: string; reference?: string }[]; next: string | null }>(
        `/v1/messages?${query}`,
      )
    ).data
  const named = `reference=${encodeURIComponent(reference)}`
  const both = [first, second].toSorted().toReversed()
  expect((await list(named)).messages.map(({ id }) => id)).toEqual(both)
  expect((await list(`${named}&phone=${encodeURIComponent(phone)}`)).messages.map(({ id }) => id)).toEqual(both)
  const page = await list(`${named}&limit=1`)
  expect((await list(`${named}&limit=1&after=${page.next}`)).messages.map(({ id }) => id)).toEqual([both[1]])
  expect((await list(`${named}-b`)).messages).toMatchObject([{ id: other, reference: `${reference}-b` }])
})

it.each([
  ['a phone number', '14155550100'],
  ['a phone number with its plus sign', '+14155550100'],
  ['spaces', 'order 1'],
  ['nothing', ''],
  ['129 characters', 'x'.repeat(129)],
])('refuses %s as a reference, in words', async (_what, reference) => {
  const body = { phone: newPhone(), template, variables: { name: 'Ada' }, reference }
  const answer = await server.test.post<ErrorData>(path, body)
  expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request' } })
  expect(answer.data.details).toMatchObject([{ field: '/reference' }])
})

it.each(['1234567', '1234567890123456', 'a12345678', `${'1'.repeat(127)}-`])(
  'takes %s as a reference',
  async (reference) => {
    const body = { phone: newPhone(), template, variables: { name: 'Ada' }, reference }
    expect(await server.test.post(path, body)).toMatchObject({ status: 200 })
  },
)

it.each([
  ['a number', 12.5, 'Welcome, 12.5!'],
  ['a boolean', true, 'Welcome, true!'],
  ['text beyond ASCII', '🦊 ليلى', 'Welcome, 🦊 ليلى!'],
  ['text that looks like a place', '{{name}}', 'Welcome, {{name}}!'],
])('takes %s for a variable', async (_what, name, text) => {
  const phone = newPhone()
  await server.test.post(path, { phone, template, variables: { name } })
  await server.work()
  expect((await server.phone(phone)).map((message) => message.text)).toEqual([text])
})

it('names every missing and every unknown variable at once', async () => {
  const answer = await server.test.post<ErrorData>(path, {
    phone: newPhone(),
    template,
    variables: { nick: 'A', 'a/b': 1 },
  })
  expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_variables' } })
  expect(answer.data.details?.map(({ field, code }) => [field, code])).toEqual([
    ['/variables/name', 'missing'],
    ['/variables/nick', 'unknown'],
    ['/variables/a~1b', 'unknown'],
  ])
})

it('sends a text of 4,096 characters, and refuses one more', async () => {
  const { id } = await server.app.accounts.require('default')
  await server.app.templates.apply(id, [{ slug: 'echo', text: '{{a}}'.repeat(800) }])
  const send = (phone: string, a: string) =>
    server.test.post<ErrorData>(path, { phone, template: 'echo', variables: { a } })

  const answer = await send(newPhone(), 'x'.repeat(1024))
  expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_variables' } })
  expect(answer.data.details?.map(({ field, code }) => [field, code])).toEqual([['/variables', 'too_long']])

  await server.app.templates.apply(id, [{ slug: 'echo', text: '{{a}}'.repeat(4) }])
  const phone = newPhone()
  expect((await send(phone, 'x'.repeat(1024))).status).toBe(200)
  await server.work()
  expect((await server.phone(phone)).map(({ text }) => text.length)).toEqual([4096])

  await server.app.templates.apply(id, [{ slug: 'echo', text: `.${'{{a}}'.repeat(4)}` }])
  expect((await send(newPhone(), 'x'.repeat(1024))).status).toBe(400)
})

it('knows no template of another account', async () => {
  await server.app.accounts.create('other')
  const other = server.as(await server.key({ account: 'other' }))
  const answer = await other.post(path, { phone: newPhone(), template, variables: { name: 'Ada' } })
  expect(answer).toMatchObject({ status: 400, data: { code: 'unknown_template' } })
})

it('lets a phone have 60 in an hour, beside its codes, and says truly how long to wait', async () => {
  const phone = newPhone()
  const body = { phone, template, variables: { name: 'Ada' } }
  for (let i = 0; i < 60; i++) {
    expect((await server.live.post(path, body)).status).toBe(200)
    await server.advance(10)
  }
  const refused = await server.live.post<ErrorData>(path, body)
  expect(refused).toMatchObject({ status: 429, data: { code: 'send_limit_reached', retry_after: 3000 } })
  await server.live.send(phone)
  await server.advance(3000)
  expect((await server.live.post(path, body)).status).toBe(200)
})
