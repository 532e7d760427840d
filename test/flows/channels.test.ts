/** From the request to the phone and back, through the providers as the simulator has them. */
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSignature } from '../../src/simulator/whatsapp/reports.ts'
import { newPhone } from '../support/server.ts'
import { createSimulation, type SimulatedAccount, startRelay } from '../support/simulation.ts'

const simulation = createSimulation()
const { accountWith, notes, run, taken, telegram, timeline, whatsapp } = simulation

const signatureOf = createSignature(standardOptions.appSecret)

/** A report of WhatsApp as Meta posts it, by hand. */
function buildReport(account: SimulatedAccount, phoneNumberId: string, statuses: object[]): string {
  const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, statuses }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: account.accountId, changes: [{ field: 'messages', value }] }],
  })
}

const post = (url: string, body: string, signature: string) =>
  fetch(url, { method: 'POST', headers: { 'X-Hub-Signature-256': signature }, body })

const secondsNow = () => String(Math.floor(simulation.server.runtime.now().getTime() / 1000))

const codeOn = (phone: string) => taken(phone).at(-1)?.code as string

describe('a code by WhatsApp', () => {
  it('is on the phone, verifies, and is seen delivered and then read', async () => {
    const { live } = await accountWith(whatsapp())
    const phone = newPhone()
    const id = await live.send(phone)
    expect(await live.status(id)).toBe('sent')
    await run()
    expect(await live.status(id)).toBe('delivered')
    const [message, ...others] = taken(phone)
    expect(others).toEqual([])
    expect(message).toMatchObject({ wire: 'whatsapp', leg: 1, text: expect.stringContaining(message!.code!) })
    await simulation.simulator.report(message!.id, 'read')
    expect(await live.status(id)).toBe('read')
    expect(await live.check(id, message!.code!)).toMatchObject({ verified: true })
    expect(await live.check(id, message!.code!)).toMatchObject({ verified: false, reason: 'already_verified' })
    // A report may be written down before the answer that it has overtaken.
    const steps = (await timeline(id)).map(({ status }) => status)
    expect(steps.toSorted()).toEqual(['delivered', 'read', 'sent', 'sent'])
  })

  it('goes on by Telegram with the same digits when a report says that the number is not on WhatsApp', async () => {
    const { live } = await accountWith(whatsapp(), telegram())
    const phone = newPhone()
    simulation.simulator.setFault(phone, 'failed:131026')
    const id = await live.send(phone)
    await run()
    expect(await live.status(id)).toBe('delivered')
    const messages = taken(phone)
    expect(messages.map(({ wire, leg }) => [wire, leg])).toEqual([
      ['whatsapp', 1],
      ['telegram', 2],
    ])
    expect(new Set(messages.map(({ code }) => code)).size).toBe(1)
    expect(new Set(await notes(id))).toEqual(
      new Set(['taken by wa-eu', 'wa-eu: 131026 (not on WhatsApp)', 'taken by tg']),
    )
    expect(await timeline(id)).toContainEqual(expect.objectContaining({ connection: 'wa-eu', providerCode: '131026' }))
    expect(await live.check(id, codeOn(phone))).toMatchObject({ verified: true })
  })

  it('fails when neither can be used, and the timeline tells the operator what to see to', async () => {
    const { live } = await accountWith(
      whatsapp({ access_token: 'one-of-yesterday' }),
      telegram({ access_token: 'one-of-last-year' }),
    )
    const failed = { status: 'failed', error: { code: 'channel_unavailable' } }
    const first = await live.send(newPhone())
    await run()
    expect((await live.get(`/v1/messages/${first}`)).data).toMatchObject(failed)
    expect(await notes(first)).toEqual(['wa-eu: 190 (access token has expired)', 'tg: token refused'])
    // Both rest for a minute: the last one of a route is waited for.
    const second = await live.send(newPhone())
    await run()
    expect(await live.status(second)).toBe('sent')
    await simulation.server.advance(60)
    await run()
    expect((await live.get(`/v1/messages/${second}`)).data).toMatchObject(failed)
    expect(await notes(second)).toEqual(['wa-eu skipped: 190 (access token has expired)', 'tg: token refused'])
  })

  it('counts as delivered when the first connection says so late, after the next one has it too', async () => {
    const { live } = await accountWith(whatsapp({ failover_seconds: 30 }), telegram())
    const phone = newPhone()
    simulation.simulator.setFault(phone, 'silent')
    const id = await live.send(phone)
    await run()
    await simulation.server.advance(30)
    await run()
    expect(await live.status(id)).toBe('sent')
    const [first, second] = taken(phone)
    expect([first?.wire, second?.wire]).toEqual(['whatsapp', 'telegram'])
    await simulation.simulator.report(first!.id, 'failed', '131026')
    expect(await live.status(id)).toBe('sent')
    await simulation.simulator.report(first!.id, 'delivered')
    expect(await live.status(id)).toBe('delivered')
    await simulation.simulator.report(second!.id, 'read')
    expect(await live.status(id)).toBe('read')
    expect(await notes(id)).toEqual([
      'taken by wa-eu',
      'wa-eu: not delivered within 30 s',
      'taken by tg',
      'wa-eu: 131026 (not on WhatsApp)',
    ])
  })
})

describe('a notification', () => {
  it("goes by WhatsApp's own template, past Telegram, which carries none", async () => {
    const account = await accountWith(telegram(), whatsapp())
    const { accountId, live } = account
    await simulation.server.app.templates.apply(accountId, [
      {
        slug: 'hello',
        text: 'Hello {{name}}',
        channels: { whatsapp: { name: 'welcome', language: 'en_US', parameters: ['name'] } },
      },
      { slug: 'plain', text: 'Hello {{name}}' },
    ])
    const phone = newPhone()
    const body = { phone, template: 'hello', variables: { name: 'Ada' } }
    const { data } = await live.post<{ request_id: string }>('/v1/notifications/send', body)
    expect(await live.status(data.request_id)).toBe('queued')
    await run()
    expect(await live.status(data.request_id)).toBe('delivered')
    expect(taken(phone)).toMatchObject([{ wire: 'whatsapp', template: 'welcome', text: 'Welcome, Ada!', leg: 1 }])
    expect(await notes(data.request_id)).toEqual(['taken by wa-eu'])
    const refused = await live.post('/v1/notifications/send', { ...body, template: 'plain' })
    expect(refused).toMatchObject({ status: 403, data: { code: 'no_channel' } })
  })
})

describe('a notification with a picture and a button', () => {
  const whole = {
    ...{ name: 'parcel_shipped', language: 'en_US', header: { image: '{{photo}}' } },
    ...{ body: { customer: 'name', number: 'order' }, buttons: [{ url: '{{order}}' }] },
  }
  const sent = async (photo: string) => {
    const { accountId, live } = await accountWith(whatsapp())
    await simulation.server.app.templates.apply(accountId, [
      { slug: 'parcel', text: '{{name}}: {{order}} {{photo}}', channels: { whatsapp: whole } },
    ])
    const body = { phone: newPhone(), template: 'parcel', variables: { name: 'Ada', order: 17, photo } }
    const { data } = await live.post<{ request_id: string }>('/v1/notifications/send', body)
    await run()
    return { status: await live.status(data.request_id), phone: body.phone, notes: await notes(data.request_id) }
  }

  it('comes to the phone with both', async () => {
    const photo = 'https://shop.example/17.jpg'
    const { status, phone } = await sent(photo)
    expect(status).toBe('delivered')
    const text = `[image ${photo}]\nHello Ada, order 17 is on its way.\n[Track https://shop.example/orders/17]`
    expect(taken(phone)).toMatchObject([{ template: 'parcel_shipped', text }])
  })

  it('fails where its picture is no address, and WhatsApp is not asked', async () => {
    const { status, phone, notes: told } = await sent('17.jpg')
    expect(status).toBe('failed')
    expect(simulation.simulator.phone(phone).messages).toEqual([])
    expect(told.join()).toContain('its image must be an https address, or the id of an upload to WhatsApp')
  })
})

describe('a report of WhatsApp', () => {
  it('that somebody else has signed is answered 401, and tells nothing', async () => {
    const entry = whatsapp()
    const account = await accountWith(entry)
    const id = await account.live.send(newPhone())
    const statuses = [{ id: 'wamid.1', status: 'read', biz_opaque_callback_data: `${account.accountId}/${id}/1` }]
    const body = buildReport(account, String(entry.phone_number_id), statuses)
    const forged = createSignature('another secret')(body)
    for (const signature of [forged, '', 'sha256=', signatureOf(`${body} `)]) {
      const answer = await post(account.webhook('wa-eu'), body, signature)
      expect(answer.status).toBe(401)
    }
    // The simulated phone may have it by now, and does not read it.
    expect(await account.live.status(id)).not.toBe('read')
  })

  it('that comes again, byte for byte, has no effect', async () => {
    const entry = whatsapp()
    const account = await accountWith(entry)
    const id = await account.live.send(newPhone())
    await run()
    const reference = `${account.accountId}/${id}/1`
    const statuses = [{ id: 'wamid.2', status: 'read', timestamp: secondsNow(), biz_opaque_callback_data: reference }]
    const body = buildReport(account, String(entry.phone_number_id), statuses)
    const seen = []
    for (let time = 0; time < 3; time++) {
      expect((await post(account.webhook('wa-eu'), body, signatureOf(body))).status).toBe(200)
      await run()
      seen.push(await simulation.server.app.history(id))
      await simulation.server.advance(1)
    }
    expect(seen[0]).toMatchObject({ status: 'read' })
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  it('of 1,000 statuses is one transaction', async () => {
    const entry = whatsapp()
    const account = await accountWith(entry)
    const ids = await Promise.all(Array.from({ length: 100 }, () => account.live.send(newPhone())))
    const about = (id: string, status: string) => ({
      id: `wamid.${id}`,
      status,
      timestamp: secondsNow(),
      biz_opaque_callback_data: `${account.accountId}/${id}/1`,
    })
    const kinds = ['sent', 'read', 'delivered', 'read', 'delivered']
    const statuses = [...kinds, ...kinds].flatMap((status) => ids.map((id) => about(id, status)))
    expect(statuses).toHaveLength(1000)
    const body = buildReport(account, String(entry.phone_number_id), statuses)
    expect((await post(account.webhook('wa-eu'), body, signatureOf(body))).status).toBe(200)
    const rows = await simulation.server.query(sql`select distinct status, xmin::text as transaction from message
      where account_id = ${account.accountId}`)
    expect(rows).toMatchObject([{ status: 'read' }])
  })
})

describe('the handshake of WhatsApp', () => {
  it('answers the handshake with its number to who knows the token, and with 403 to everybody else', async () => {
    const account = await accountWith(whatsapp())
    const hands = await simulation.simulator.shakeHands()
    expect(hands.find(({ url }) => url === account.webhook('wa-eu'))).toEqual({ url: account.webhook('wa-eu') })
    for (const token of ['wrong', '', `${standardOptions.verifyToken}x`]) {
      const query = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`
      const answer = await fetch(`${account.webhook('wa-eu')}?${query}`)
      expect(answer.status).toBe(403)
      expect(await answer.text()).not.toContain('1158201444')
    }
  })
})

describe('Telegram', () => {
  it('names the price of a code, and that of one that it has paid back is nothing', async () => {
    const { live } = await accountWith(telegram())
    const [good, late] = [newPhone(), newPhone()]
    simulation.simulator.setFault(late, 'expired')
    const ids = await Promise.all([live.send(good), live.send(late)])
    await run()
    await simulation.server.advance(5)
    await run()
    const histories = await Promise.all(ids.map((id) => simulation.server.app.history(id)))
    expect(histories.map(({ status, legs }) => [status, legs[0]?.price])).toEqual([
      ['delivered', { amount: '0.01', currency: 'USD' }],
      ['failed', { amount: '0', currency: 'USD' }],
    ])
  })

  it('is asked after 5, 15, 30 and 60 seconds and no more, where it was not told where to report to', async () => {
    const relay = await startRelay(simulation.simulator.url)
    const { live } = await accountWith(telegram({ base_url: relay.url }))
    simulation.simulator.pointAt({ telegram: undefined })
    const phone = newPhone()
    simulation.simulator.setFault(phone, 'silent')
    const id = await live.send(phone)
    const questions = () => relay.asked.filter(({ path }) => path === '/checkVerificationStatus').length
    const asked: number[][] = []
    let second = 0
    await run()
    for (const due of [5, 15, 30, 60, 120]) {
      // The queue's clock also goes on by itself: half of the way is well before it is due.
      const half = Math.floor((due - second) / 2)
      await simulation.server.advance(half)
      await run()
      const before = questions()
      await simulation.server.advance(due - second - half)
      await run()
      asked.push([due, before, questions()])
      second = due
    }
    await relay.close()
    expect(asked).toEqual([
      [5, 0, 1],
      [15, 1, 2],
      [30, 2, 3],
      [60, 3, 4],
      [120, 4, 4],
    ])
    expect(relay.asked.every(({ body }) => body.callback_url === undefined)).toBe(true)
    expect(await live.status(id)).toBe('sent')
  })

  it('is asked no more once the code was read', async () => {
    const relay = await startRelay(simulation.simulator.url)
    const { live } = await accountWith(telegram({ base_url: relay.url }))
    simulation.simulator.pointAt({ telegram: undefined })
    const phone = newPhone()
    simulation.simulator.setFault(phone, 'silent')
    const id = await live.send(phone)
    await run()
    await simulation.simulator.report(taken(phone)[0]!.id, 'read')
    for (const seconds of [5, 10, 15, 30]) {
      await simulation.server.advance(seconds)
      await run()
    }
    await relay.close()
    expect(await live.status(id)).toBe('read')
    expect(relay.asked.filter(({ path }) => path === '/checkVerificationStatus')).toHaveLength(1)
  })

  it('is told when its code was right, and not when it was wrong', async () => {
    const { live } = await accountWith(telegram())
    const phone = newPhone()
    const id = await live.send(phone)
    await run()
    const code = codeOn(phone)
    const wrong = code === '111111' ? '222222' : '111111'
    expect(await live.check(id, wrong)).toMatchObject({ verified: false })
    await run()
    expect(taken(phone)).toMatchObject([{ verification: null }])
    expect(await live.check(id, code)).toMatchObject({ verified: true })
    await run()
    expect(taken(phone)).toMatchObject([{ verification: 'code_valid' }])
  })
})
