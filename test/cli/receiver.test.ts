import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ReceivedEvent, type Receiver, startReceiver } from '../../src/cli/receiver.ts'
import { newSecret } from '../../src/outbound/signature.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const [secret, other] = [newSecret(), newSecret()]
const body = '{"type":"message.read","timestamp":"2026-11-21T09:00:00.000Z","data":{}}'

let receiver: Receiver
let blind: Receiver
let events: ReceivedEvent[]
beforeAll(async () => {
  const onEvent = (event: ReceivedEvent) => void events.push(event)
  const parts = { port: 0, onEvent, now: () => now }
  receiver = await startReceiver({ ...parts, secrets: [other, secret] })
  blind = await startReceiver({ ...parts, secrets: [] })
})
beforeEach(() => {
  events = []
})
afterAll(async () => {
  await receiver.close()
  await blind.close()
})

let ids = 0

/** As another implementation signs. */
function signed(id = `evt_${++ids}`, seconds = 0, by = secret): Record<string, string> {
  const at = new Date(now.getTime() + seconds * 1000)
  const signature = new Webhook(by).sign(id, at, body)
  return { 'webhook-id': id, 'webhook-timestamp': `${at.getTime() / 1000}`, 'webhook-signature': signature }
}

/** @returns the status of the answer, and what is said of the event */
async function post(headers: Record<string, string>, sent: string | Uint8Array = body, to = receiver) {
  const { status } = await fetch(to.url, { method: 'POST', headers, body: sent as string })
  return [status, events.at(-1)?.fault]
}

describe('a receiver', () => {
  it('takes what is signed with one of its secrets, by any implementation', async () => {
    expect(await post(signed('evt_a'))).toEqual([204, undefined])
    expect(await post(signed('evt_b', 0, other))).toEqual([204, undefined])
    expect(events).toMatchObject([
      { at: now, id: 'evt_a', isRepeat: false, body },
      { at: now, id: 'evt_b', isRepeat: false, body },
    ])
  })

  it('says of what is not, why', async () => {
    const { 'webhook-signature': _, ...unsigned } = signed()
    const mismatch = 'its signature does not match the secret'
    expect(await post(unsigned)).toEqual([401, 'it has no webhook-signature'])
    expect(await post({})).toEqual([401, 'it has no webhook-id'])
    expect(await post(signed(), `${body} `)).toEqual([401, mismatch])
    expect(await post(signed('evt_c', 0, newSecret()))).toEqual([401, mismatch])
    expect(await post({ ...signed(), 'webhook-timestamp': 'soon' })).toEqual([401, mismatch])
    expect(await post(signed('evt_d', -301))).toEqual([401, 'it was signed 301 seconds ago'])
    expect(await post(signed('evt_e', 400))).toEqual([
      ...[401, 'it was signed 400 seconds ahead of the clock of this machine'],
    ])
    expect(events).toHaveLength(7)
  })

  it('tells what came before', async () => {
    for (const id of ['evt_f', 'evt_g', 'evt_f']) await post(signed(id))
    expect(events.map(({ isRepeat }) => isRepeat)).toEqual([false, false, true])
  })

  it('takes everything while it has no secret, and says that nothing is verified', async () => {
    expect(await post(signed(), body, blind)).toEqual([204, 'no --secret was given to verify it with'])
  })

  it('verifies bytes, also those that are no text', async () => {
    const [status, fault] = await post(signed(), Buffer.concat([Buffer.from(body), Buffer.from([0xff])]))
    expect([status, fault]).toEqual([401, 'its signature does not match the secret'])
  })

  it('takes nothing but events of a bounded size that are posted', async () => {
    expect((await fetch(receiver.url)).status).toBe(405)
    const { status } = await fetch(receiver.url, { method: 'POST', body: 'x'.repeat(65_537) })
    expect(status).toBe(413)
    expect(events).toEqual([])
  })
})
