/** What an operator sees of a message. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { commandLine, jsonOf, moment, type Result, refusalOf, run } from '../support/cli.ts'
import { createRoutes, failed, tg, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const price = { amount: '0.0333', currency: 'EUR' }
const unpriced = { price: null, currency: null }

function show(id: string, ...options: string[]): Promise<Result> {
  return run({ DATABASE_URL: routes.server.database!.settings.url }, ['messages', 'show', id, ...options])
}

it('is its route, its legs and its timeline, and nothing of what is in it', async () => {
  const { live, accountId } = await routes.accountWith(tg(), wa(), wa({ id: 'last' }))
  const { name: account } = (await routes.server.app.accounts.list()).find(({ id }) => id === accountId)!
  routes.answers.tg = () => failed('number not on Telegram')
  routes.answers['wa-eu'] = () => ({ kind: 'sent', providerMessageId: 'wamid.1', price })
  const phone = newPhone()
  const id = await live.send(phone, { brand_name: 'Aardvark' })
  await routes.server.work()
  const [, { content }] = routes.asked as [unknown, { content: { code: string } }]
  // A command goes by the database's clock, for which the code of a test would have run out long ago.
  await routes.server.query(sql`update message set expires_at = now() + interval '10 minutes' where id = ${id}`)

  const [json, text] = await Promise.all([show(id, '--json'), show(id)])
  const seen = jsonOf(json)
  expect(seen).toEqual({
    ...{ id, account, mode: 'live', kind: 'verification', phone: `${phone.slice(0, 5)}•••••${phone.slice(-2)}` },
    ...{ status: 'sent', status_at: moment, error: null, created_at: moment, expires_at: moment, verified_at: null },
    findings: null,
    legs: [
      { leg: 1, connection: 'tg', state: 'past', attempts: null, provider_message_id: null, ...unpriced },
      {
        leg: 2,
        connection: 'wa-eu',
        state: 'current',
        attempts: 1,
        provider_message_id: 'wamid.1',
        price: '0.0333',
        currency: 'EUR',
      },
      { leg: 3, connection: 'last', state: 'ahead', attempts: null, provider_message_id: null, ...unpriced },
    ],
    ...{ inlet: null, template: null, template_version: null, template_locale: null, reference: null, send_at: null },
    ...{ resend_of: null, resent_as: null },
    timeline: expect.any(Array),
  })
  const steps = (seen.timeline as { connection: string | null; note: string | null }[]).map((step) => step)
  expect(steps).toContainEqual(
    expect.objectContaining({ at: moment, connection: 'tg', note: expect.stringContaining('number not on Telegram') }),
  )
  expect(text).toMatchObject({ exitCode: 0, stderr: '' })
  for (const line of [
    /^id +req_/m,
    /^status +sent$/m,
    /^findings +-$/m,
    /^2 +wa-eu +current +1 +wamid\.1 +0\.0333 +EUR$/m,
    /number not on Telegram/,
  ]) {
    expect(text.stdout).toMatch(line)
  }
  for (const secret of [phone, content.code, 'Aardvark']) expect(json.stdout + text.stdout).not.toContain(secret)
})

it('says that a code has run out as soon as it has', async () => {
  const { live } = await routes.accountWith(wa())
  const id = await live.send(newPhone())
  await routes.server.work()
  await routes.server.query(sql`update message set expires_at = now() where id = ${id}`)
  const seen = jsonOf(await show(id, '--json'))
  expect(seen).toMatchObject({ status: 'expired', status_at: seen.expires_at })
  expect((seen.timeline as { status: string }[]).at(-1)).toMatchObject({ status: 'expired', at: seen.expires_at })
})

it('names what the rules of the account found, as the API does', async () => {
  const { live, accountId } = await routes.accountWith(wa())
  await routes.server.app.protections.apply(accountId, {
    rules: ['nowhere', 'nowhere-else'].map((id) => ({ id, by: 'country', allow: ['IS'], do: 'record' })),
    fail: 'open',
    budgets: [],
  })
  const id = await live.send(newPhone())
  const [json, text] = await Promise.all([show(id, '--json'), show(id)])
  const { findings } = jsonOf(json)
  expect(findings).toEqual(['nowhere', 'nowhere-else'].map((rule) => ({ rule, did: 'record' })))
  expect(findings).toEqual((await live.get(`/v1/messages/${id}`)).data.findings)
  expect(text.stdout).toMatch(/^findings +nowhere \(record\), nowhere-else \(record\)$/m)
})

it('of a notification is without its variables', async () => {
  const { live, accountId } = await routes.accountWith(wa())
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello {{name}}' }])
  const body = { phone: newPhone(), template: 'hello', variables: { name: 'Quetzalcoatl' } }
  const id = (await live.post('/v1/notifications/send', body)).data.request_id as string
  const shown = await show(id, '--json')
  expect(jsonOf(shown)).toMatchObject({ kind: 'notification', status: 'queued', expires_at: null })
  expect(shown.stdout).not.toContain('Quetzalcoatl')
})

it('that there is not, is refused', async () => {
  expect(refusalOf(await show(`req_${'0'.repeat(26)}`))).toBe(`There is no message req_${'0'.repeat(26)}.`)
  expect(refusalOf(await show('a\u001b[2J'))).toBe('There is no message a\\u001b[2J.')
})

describe('messages resend', () => {
  const environment = () => ({
    DATABASE_URL: routes.server.database!.settings.url,
    WATCHWORD_SECRET: 'a secret for tests of enough characters',
  })
  const resend = (account: string, ...options: string[]) =>
    run(environment(), ['messages', 'resend', '--account', account, ...options])

  it('says what it would send again, sends each once with --yes, and goes on with the rest after that', async () => {
    const { live, accountId } = await routes.accountWith(wa())
    const { name: account } = (await routes.server.app.accounts.list()).find(({ id }) => id === accountId)!
    await routes.server.app.templates.apply(accountId, [
      { slug: 'hello', text: 'Hello', channels: { whatsapp: { name: 'order', language: 'en_US' } } },
    ])
    routes.answers['wa-eu'] = () => failed('gone')
    for (let count = 0; count < 3; count++)
      await live.post('/v1/notifications/send', { phone: newPhone(), template: 'hello' })
    await routes.server.work()
    const group = { template: 'hello', error: 'not_on_channel', channel: 'wa-eu', mode: 'live', messages: 3 }
    expect(jsonOf(await resend(account, '--json'))).toEqual({ would_resend: 3, groups: [group] })
    expect(await resend(account, '--error', 'opted_out')).toMatchObject({
      stdout: expect.stringContaining('No failed notification can be sent again'),
    })
    expect(await resend(account, '--template', 'hello', '--yes')).toMatchObject({
      ...{ exitCode: 0, stderr: expect.stringContaining('3 of 3') },
      stdout: expect.stringContaining('3 notifications sent again, 0 refused.'),
    })
    expect(jsonOf(await resend(account, '--yes', '--json'))).toEqual({ resent: 0, refused: [] })
    const [first] = await routes.server.query<{ id: string }>(
      sql`select id from resendable where account_id = ${accountId} order by id limit 1`,
    )
    expect(await resend(account, first!.id, '--yes')).toMatchObject({
      ...{
        exitCode: 1,
        stdout: expect.stringContaining(`${first!.id} was not sent again: It was sent again before, as req_`),
      },
    })
  })

  it('killed on the way and started again, has sent each once', async () => {
    const { live, accountId } = await routes.accountWith(wa())
    const { name: account } = (await routes.server.app.accounts.list()).find(({ id }) => id === accountId)!
    await routes.server.app.templates.apply(accountId, [
      { slug: 'hello', text: 'Hello', channels: { whatsapp: { name: 'order', language: 'en_US' } } },
    ])
    routes.answers['wa-eu'] = () => failed('gone')
    const count = 300
    for (let made = 0; made < count; made++)
      expect(await live.post('/v1/notifications/send', { phone: newPhone(), template: 'hello' })).toMatchObject({
        status: 200,
      })
    await routes.server.work()

    const [file = '', ...words] = commandLine()
    const args = [...words, 'messages', 'resend', '--account', account, '--yes']
    const killed = spawn(file, args, { env: environment(), stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = once(killed, 'exit')
    for await (const line of createInterface(killed.stderr)) if (line.startsWith('100 of')) break
    killed.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])

    const { stdout } = await resend(account, '--yes', '--json')
    const { resent, refused } = JSON.parse(stdout) as { resent: number; refused: unknown[] }
    expect(refused).toEqual([])
    expect(resent).toBeLessThanOrEqual(count - 100)
    const [again] = await routes.server.query<{ messages: number; of: number }>(
      sql`select count(*)::int as messages, count(distinct timeline -> 0 ->> 'resendOf')::int as of from message
        where account_id = ${accountId} and timeline -> 0 ? 'resendOf'`,
    )
    expect(again).toEqual({ messages: count, of: count })
  })
})
