/** Templates and notifications that are made to break things: each is taken, or refused in words, and nothing is half done. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorData } from '../../support/client.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let account: string
beforeAll(async () => {
  server = await startServer()
  account = (await server.app.accounts.require('default')).id
})
afterAll(() => server.close())

const apply = (template: object) => server.app.templates.apply(account, [template])
const send = (template: string, more: object = {}) =>
  server.test.post<ErrorData>('/v1/notifications/send', { phone: newPhone(), template, ...more })
const textTo = async (template: string, variables: object): Promise<string | undefined> => {
  const phone = newPhone()
  expect(await send(template, { phone, variables })).toMatchObject({ status: 200 })
  await server.work()
  return (await server.phone(phone))[0]?.text
}

describe('a template', () => {
  it('of 4,096 combining marks reaches the phone whole, and one mark more is refused in words', async () => {
    const marks = '\u0301'.repeat(4096)
    await apply({ slug: 'marks', text: marks })
    expect(await textTo('marks', {})).toBe(marks)
    await expect(apply({ slug: 'marks', text: `${marks}\u0301` })).rejects.toThrow(
      'its text has more than 4096 characters',
    )
    expect((await server.test.get('/v1/templates/marks')).data).toMatchObject({ version: 1 })
  })

  it('has 50 languages, and none of 51', async () => {
    const tags = Array.from(
      { length: 51 },
      (_, index) => `en-${String.fromCharCode(65 + index / 26, 65 + (index % 26))}`,
    )
    const within = (count: number) => ({
      ...{ slug: `in-${count}`, defaultLocale: 'de', text: 'Hallo' },
      locales: Object.fromEntries(tags.slice(0, count - 1).map((tag) => [tag, { text: `Hello from ${tag}` }])),
    })
    await apply(within(50))
    expect((await server.test.get('/v1/templates/in-50')).data).toMatchObject({ version: 1 })
    await expect(apply(within(51))).rejects.toThrow(/50/)
    expect(await server.test.get('/v1/templates/in-51')).toMatchObject({ status: 404 })
  })

  it('has a variable constructor like any other, and no other name of what all objects have', async () => {
    await apply({ slug: 'made', text: 'Hello {{constructor}}' })
    expect(await send('made', { variables: {} })).toMatchObject({ status: 400, data: { code: 'invalid_variables' } })
    expect(await textTo('made', { constructor: 'Ada' })).toBe('Hello Ada')
    for (const name of ['__proto__', 'toString'])
      await expect(apply({ slug: 'made', text: `Hello {{${name}}}` })).rejects.toThrow(`"{{${name}}}" is no variable`)
  })
})

it.each([
  ['a reference that is a phone', { reference: '14155550100' }, '/reference'],
  ['a time in the year 9999', { send_at: '9999-12-31T23:59:59Z' }, '/send_at'],
  ['a language of 10,000 letters', { locale: 'e'.repeat(10_000) }, '/locale'],
  ['a life of no time', { expires_in: 0 }, '/expires_in'],
])('%s is refused by its field, and nothing is made', async (_what, more, field) => {
  const phone = newPhone()
  const { status, data } = await send('welcome', { phone, variables: { name: 'Ada' }, ...more })
  expect([status, data.code, data.details?.map((detail) => detail.field)]).toEqual([400, 'invalid_request', [field]])
  const { messages } = (
    await server.test.get<{ messages: object[] }>(`/v1/messages?phone=${encodeURIComponent(phone)}`)
  ).data
  expect(messages).toEqual([])
})
