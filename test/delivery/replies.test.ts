/** Replies at the address of reports: who is believed, what counts twice, and what never hurts a report. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findProvider } from '../../src/delivery/channels/sms/shipped.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { Client } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { entryOf } from '../support/simulation.ts'

let server: TestServer
let simulator: Simulator
beforeAll(async () => {
  server = await startServer()
  simulator = await createSimulator({ now: () => server.runtime.now() })
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

/** An account whose only connection is to that provider. */
async function by(provider: string) {
  const { id: accountId, name: account } = await server.app.accounts.create(`replies of ${newPhone().slice(1)}`)
  await server.app.connections.apply(accountId, [entryOf(findProvider({ provider }).file!, simulator, { id: 'sms' })])
  const [listed] = await server.app.connections.list(accountId)
  const live = server.as(await server.key({ mode: 'live', account }))
  return { accountId, live, url: server.directUrl + listed?.reportPath }
}

const isOut = async (live: Client, phone: string) => (await live.post('/v1/opt-outs/find', { phone })).data.opted_out
const ask = async (url: string, said: Record<string, string>) =>
  (await fetch(`${url}?${new URLSearchParams(said)}`)).status

it('a reply that comes again counts once, also when the person has said another word since', async () => {
  const { live, url } = await by('kannel')
  const phone = newPhone()
  const stop = { id: '1', from: phone, text: 'STOP' }
  expect([await ask(url, stop), await isOut(live, phone)]).toEqual([200, true])
  await ask(url, { id: '2', from: phone, text: 'START' })
  expect([await ask(url, stop), await isOut(live, phone)]).toEqual([200, false])
})

it('of replies without an id, the last one counts', async () => {
  const { live, url } = await by('kannel')
  const phone = newPhone()
  for (const text of ['stop', 'stop', 'start', 'stop']) await ask(url, { from: phone.slice(1), text })
  expect(await isOut(live, phone)).toBe(true)
})

it('a STOP that comes an hour late, without an id, opts no one out who has written START since', async () => {
  const { live, url } = await by('kannel')
  const phone = newPhone()
  const say = (text: string, secondsAgo: number) =>
    ask(url, { from: phone, text, at: String(Math.floor(server.runtime.now().getTime() / 1000) - secondsAgo) })
  await say('START', 60)
  expect([await say('STOP', 3600), await isOut(live, phone)]).toEqual([200, false])
  // Without a time, when it comes.
  await ask(url, { from: phone, text: 'STOP' })
  expect(await isOut(live, phone)).toBe(true)
  await say('START', 60)
  expect(await isOut(live, phone)).toBe(true)
})

it('a STOP from a phone with a wrong clock opts out', async () => {
  const { live, url } = await by('kannel')
  const day = 86_400
  const say = async (phone: string, text: string, secondsAgo: number) => {
    const at = String(Math.floor(server.runtime.now().getTime() / 1000) - secondsAgo)
    await ask(url, { from: phone, text, at })
    return isOut(live, phone)
  }
  // Hours behind, after an opt-in by the API.
  const signedUp = newPhone()
  await live.post('/v1/opt-outs/remove', { phone: signedUp })
  expect(await say(signedUp, 'STOP', 8 * 3600)).toBe(true)
  // From before all that a provider repeats, or from a time to come.
  for (const secondsAgo of [8 * day, 20 * day, 31 * day, 365 * day, -3600, -365 * day]) {
    const phone = newPhone()
    expect([await say(phone, 'START', 0), await say(phone, 'STOP', secondsAgo)]).toEqual([false, true])
  }
})

it('a keyword of one account means nothing to another, and the standard ones stay', async () => {
  const [one, other] = [await by('kannel'), await by('kannel')]
  await server.app.optOuts.addKeyword(one.accountId, { text: 'RET', meaning: 'stop', language: 'tr' })
  const phone = newPhone()
  for (const { url } of [one, other]) await ask(url, { from: phone, text: 'ret' })
  expect([await isOut(one.live, phone), await isOut(other.live, phone)]).toEqual([true, false])
  await ask(one.url, { from: phone, text: 'START' })
  expect(await isOut(one.live, phone)).toBe(false)
})

it('a reply to an address with a wrong token is refused, and opts no one out', async () => {
  const { live, url } = await by('kannel')
  const phone = newPhone()
  const wrong = url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect(await ask(wrong, { id: '1', from: phone, text: 'STOP' })).toBe(401)
  expect(await isOut(live, phone)).toBe(false)
})

it('nothing is answered that a provider could send on to the person', async () => {
  const { url } = await by('kannel')
  const response = await fetch(`${url}?${new URLSearchParams({ id: '1', from: newPhone(), text: 'Hello' })}`)
  expect([response.status, await response.text()]).toEqual([200, ''])
})

it('odd replies in a report hurt neither its statuses nor the replies beside them', async () => {
  const { live, url } = await by('infobip')
  const [sent, stopped] = [newPhone(), newPhone()]
  const id = await live.send(sent)
  await server.work()
  await simulator.settled()
  const messageId = simulator.phone(sent).messages[0]!.id
  const results = [
    ...[{}, null, 7, { from: {}, text: [] }, { from: '28901', text: 'STOP' }, { from: 'x'.repeat(9000), text: 'STOP' }],
    { messageId, status: { groupName: 'DELIVERED' }, doneAt: server.runtime.now().toISOString() },
    { messageId: 'in-1', from: stopped.slice(1), to: '385921004026', text: 'Quit' },
  ]
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ results }) })
  expect(response.status).toBe(200)
  await expect.poll(() => live.status(id)).toBe('delivered')
  expect(await isOut(live, stopped)).toBe(true)
})

it('five hundred people who say STOP in one report are all opted out', async () => {
  const { live, url } = await by('infobip')
  const phones = Array.from({ length: 500 }, newPhone)
  const results = phones.map((from, n) => ({ messageId: `in-${n}`, from, text: 'STOP' }))
  const post = () => fetch(url, { method: 'POST', body: JSON.stringify({ results }) })
  const answers = await Promise.all([post(), post()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await Promise.all([phones[0]!, phones[250]!, phones[499]!].map((phone) => isOut(live, phone)))).toEqual([
    ...[true, true, true],
  ])
})
