/** Notifications from a template in several languages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const path = '/v1/notifications/send'
const slug = 'shipped'
const parcel = {
  ...{ slug, defaultLocale: 'en', text: '{{name}}, it is on its way.' },
  locales: {
    de: { text: '{{name}}, es ist unterwegs.' },
    'pt-BR': { text: '{{name}}, está a caminho.' },
    'zh-Hant': { text: '{{name}}，已經出發。' },
    nb: { text: '{{name}}, den er på vei.' },
  },
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await apply(parcel)
})
afterAll(() => server.close())

async function apply(template: object): Promise<void> {
  const { id: accountId } = await server.app.accounts.require('default')
  await server.app.templates.apply(accountId, [template])
}

interface Answer {
  request_id: string
  template?: { slug: string; version: number; locale: string }
}

const send = async (more: object, headers = {}) => {
  const body = { phone: newPhone(), template: slug, variables: { name: 'Ada' }, ...more }
  return (await server.test.post<Answer>(path, body, headers)).data
}
const textsOf = async (phone: string) => (await server.phone(phone)).map(({ text }) => text)

describe('a notification from a template in several languages', () => {
  it.each([
    ['no language', undefined, 'en'],
    ['one that it has', 'de', 'de'],
    ['a country of one that it has', 'de_AT.UTF-8', 'de'],
    ['one as another system writes it', 'pt_BR', 'pt-BR'],
    ['another country of one that it has', 'pt-PT', 'pt-BR'],
    ['a country that implies a script', 'zh-HK', 'zh-Hant'],
    ['another name of one that it has', 'no', 'nb'],
    ['a country of the default one', 'en-GB', 'en'],
    ['one that it lacks', 'fr', 'en'],
    ['what names no language', 'klingonisch', 'en'],
  ])('asked for %s, is in that or in the default one', async (_what, locale, chosen) => {
    const phone = newPhone()
    const answer = await send({ phone, ...(locale !== undefined && { locale }) })
    const template = { slug, version: 1, locale: chosen }
    expect(answer).toEqual({ request_id: expect.any(String), status: 'queued', template })
    const told = await server.test.get(`/v1/messages/${answer.request_id}`)
    expect(told.data).toMatchObject({ template })
    await server.work()
    const texts: Record<string, string> = { en: parcel.text, ...Object.fromEntries(textsIn(parcel.locales)) }
    await expect.poll(() => textsOf(phone)).toEqual([texts[chosen]!.replace('{{name}}', 'Ada')])
  })

  it('has its version and language in the list of messages, and in the answer to a repeat', async () => {
    const phone = newPhone()
    const key = { 'Idempotency-Key': `locale-${phone.slice(1)}` }
    const first = await send({ phone, locale: 'de' }, key)
    expect(await send({ phone, locale: 'de' }, key)).toEqual(first)
    const list = await server.test.get<{ messages: Answer[] }>(`/v1/messages?phone=${encodeURIComponent(phone)}`)
    expect(list.data.messages.map(({ template }) => template)).toEqual([first.template])
  })

  it('for later has the version that was there when it was taken', async () => {
    const phone = newPhone()
    await apply({ slug: 'later', text: 'before' })
    const send_at = new Date(server.runtime.now().getTime() + 3600_000).toISOString()
    const { request_id } = await send({ phone, template: 'later', variables: {}, send_at })
    await apply({ slug: 'later', defaultLocale: 'en', text: 'after', locales: { de: { text: 'danach' } } })
    const changed = await send({ template: 'later', variables: {}, locale: 'de' })
    expect(changed.template).toEqual({ slug: 'later', version: 2, locale: 'de' })
    await server.advance(3600)
    for (let round = 0; round < 2; round++) await server.work()
    await expect.poll(() => textsOf(phone)).toEqual(['before'])
    const told = await server.test.get(`/v1/messages/${request_id}`)
    expect(told.data).toMatchObject({ template: { slug: 'later', version: 1, locale: 'und' } })
  })

  it('is refused where its variables do not fit, in whichever language', async () => {
    const answers = await Promise.all([send({ variables: {}, locale: 'de' }), send({ variables: {}, locale: 'fr' })])
    expect(answers).toMatchObject([{ code: 'invalid_variables' }, { code: 'invalid_variables' }])
  })
})

function textsIn(locales: Readonly<Record<string, { text: string }>>): [string, string][] {
  return Object.entries(locales).map(([tag, { text }]) => [tag, text])
}
