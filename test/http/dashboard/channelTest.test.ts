/** Sending › Channels: an owner sends a test code to a phone through one channel alone. */
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { testCodesInHour } from '../../../src/domain/channels/testCode.ts'
import { newPhone } from '../../support/server.ts'
import { createSimulation, type Entry } from '../../support/simulation.ts'
import { signIn } from '../../support/visitor.ts'

const simulation = createSimulation({
  server: { config: { dashboardPort: 0, countriesAllowed: new Set(['US', 'DE']) } },
})
const { accountWith, whatsapp, telegram } = simulation

async function ownerOf(...entries: Entry[]) {
  const { accountId, live } = await accountWith(...entries)
  const { server } = simulation
  const { name } = (await server.app.accounts.list()).find(({ id }) => id === accountId)!
  const owner = await signIn(server, 'owner', { account: name })
  const made = async () => {
    const rows = await server.query<{ id: string; route: string[]; keyId: string | null }>(
      sql`select id, route, key_id as "keyId" from message where account_id = ${accountId} order by id`,
    )
    return rows
  }
  const acts = async () => {
    const rows = await server.query<{ detail: Record<string, string> }>(
      sql`select detail from audit where account_id = ${accountId} and act = 'channel.tested' order by id`,
    )
    return rows.map(({ detail }) => detail)
  }
  return { accountId, owner, live, made, acts }
}

describe('a test code', () => {
  it('goes through that channel alone, arrives, and its timeline is shown live', async () => {
    const { owner, made, acts } = await ownerOf(telegram(), whatsapp())
    const phone = newPhone()
    const seen = await owner.post('/channels/wa-eu/test', { phone })
    const [message] = await made()
    expect(message).toMatchObject({ route: ['wa-eu'], keyId: null })
    expect(seen.headers.get('location')).toBe(`/messages/${message!.id}`)
    expect((await owner.get(`/messages/${message!.id}`)).text).toContain('id="message" class="parts" data-live="2"')
    await simulation.run()
    expect((await owner.get(`/messages/${message!.id}`)).text).toContain('taken by wa-eu')
    expect(await acts()).toEqual([{ message: message!.id, phone: expect.stringContaining('•••') }])
    expect(JSON.stringify(await acts())).not.toContain(phone)
  })

  it('is under the limits of the phone, those of the API', async () => {
    const { owner, live, made } = await ownerOf(telegram())
    const phone = newPhone()
    await live.send(phone)
    const { status, text } = await owner.post('/channels/tg/test', { phone })
    expect(status).toBe(400)
    expect(text).toContain('A code was sent to this phone a moment ago')
    expect(await made()).toHaveLength(1)
    const other = newPhone()
    await owner.post('/channels/tg/test', { phone: other })
    expect(await live.post('/v1/verify/send', { phone: other })).toMatchObject({ status: 429 })
  })

  it('can be sent so often in an hour by an account, also when all are asked for at once', async () => {
    const { owner, made, acts } = await ownerOf(telegram())
    const send = () => owner.post('/channels/tg/test', { phone: newPhone() })
    await Promise.all(Array.from({ length: testCodesInHour + 4 }, send))
    expect((await acts()).length).toBeLessThanOrEqual(testCodesInHour)
    expect(await made()).toHaveLength((await acts()).length)
    while ((await acts()).length < testCodesInHour) await send()
    const { status, text } = await send()
    expect([status, text.includes('in the last hour')]).toEqual([400, true])
    expect(await made()).toHaveLength(testCodesInHour)
  })

  it.each([
    ['12', 'it does not begin with + and a country code'],
    ['+19005550100', 'does not send to phone numbers of this kind'],
    ['+33612345678', 'country'],
    ['+4915123456789', 'not used for numbers of this country'],
  ])('is refused where the API would refuse the number: %s', async (phone, words) => {
    const { owner, made } = await ownerOf(telegram({ countries: ['US'] }))
    const { status, text } = await owner.post('/channels/tg/test', { phone })
    expect([status, text.includes(words)]).toEqual([400, true])
    expect(await made()).toEqual([])
  })
})
