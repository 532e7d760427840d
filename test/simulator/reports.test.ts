/** Reports when the service is away, slow or wrong; and that nothing ends the simulator. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { troubles } from '../support/provider.ts'
import { code, type Simulated, startSimulated } from '../support/simulated.ts'
import { converse, statusesIn as statusesOfAnswers } from '../support/wire.ts'

const phone = '+14155552671'

let simulated: Simulated
beforeEach(async () => {
  simulated = await startSimulated({ attemptsMax: 4 })
})
afterEach(() => simulated.close())

const both = () => Promise.all([simulated.whatsapp(phone), simulated.sendByTelegram(phone)])
const counts = () => simulated.state().reports

describe('a report', () => {
  it('is repeated until it is answered 200', async () => {
    let asked = 0
    simulated.receiver.behave(() => ({ status: ++asked < 6 ? 503 : 200 }))
    await both()
    await simulated.settled()
    expect(asked).toBe(6 + 1)
    expect(counts()).toMatchObject({ accepted: 2, refused: 5, given_up: 0, waiting: 0 })
  })

  it('is given up after some tries, and others follow', async () => {
    simulated.receiver.behave({ status: 204 })
    await both()
    expect(await simulated.reported()).toHaveLength(8)
    expect(counts()).toMatchObject({ accepted: 0, refused: 8, given_up: 2, waiting: 0 })
    simulated.receiver.behave({ status: 200 })
    await both()
    await simulated.settled()
    expect(counts()).toMatchObject({ accepted: 2, given_up: 2 })
  })

  it('is the same at each try, but for the time', async () => {
    simulated.receiver.behave({ status: 500 })
    await simulated.whatsapp(phone)
    const [first, ...others] = await simulated.reported()
    expect(others).toHaveLength(3)
    for (const { body, headers } of others) {
      expect(body).toBe(first!.body)
      expect(headers['x-hub-signature-256']).toBe(first!.headers['x-hub-signature-256'])
    }
  })

  it.each(troubles.filter((trouble) => trouble !== 'hang' && trouble !== 'hang in the body'))(
    'outlives a service that is so: %s',
    async (trouble) => {
      simulated.receiver.behave(trouble)
      await both()
      await simulated.settled()
      expect(counts().waiting).toBe(0)
      simulated.receiver.behave({ status: 200 })
      await both()
      await simulated.settled()
      expect(counts().accepted).toBeGreaterThanOrEqual(2)
    },
  )

  it('does not hold up the end, though the service hangs', async () => {
    const other = await startSimulated({}, 'hang')
    const answer = await other.whatsapp(phone)
    expect(answer.status).toBe(200)
    await other.close()
  })

  it('does not hold up the end, though it waits for its time', async () => {
    const other = await startSimulated({ reportAfterMs: 600_000 })
    await Promise.all([other.whatsapp(phone), other.sendByTelegram(phone)])
    const settled = other.settled()
    await other.close()
    await settled
    expect(other.receiver.asked).toEqual([])
  })
})

describe('a report by hand', () => {
  it.each([
    ['delivered', ['delivered']],
    ['read', ['read']],
    ['failed', ['failed']],
  ])('is posted at once, and once: %s', async (status, statuses) => {
    simulated.setFault(phone, 'silent')
    await both()
    const [byWhatsapp, byTelegram] = simulated
      .phone(phone)
      .messages.toSorted((one, other) => (one.wire < other.wire ? 1 : -1))
    simulated.receiver.behave({ status: 503 })
    expect(await simulated.report(byWhatsapp!.id, status as 'read')).toEqual({ answered: 503 })
    const told = (await simulated.statuses()).filter((one) => one !== 'sent')
    expect(told).toEqual(statuses)
    simulated.receiver.asked.length = 0
    expect(await simulated.report(byTelegram!.id, status as 'read')).toEqual({ answered: 503 })
    expect(await simulated.statuses()).toEqual(status === 'failed' ? ['expired'] : statuses)
  })

  it('is none of a message that is not there, or was not taken', async () => {
    simulated.setFault(phone, 'refused:131049')
    await simulated.whatsapp(phone)
    const [refused] = simulated.phone(phone).messages
    expect(await simulated.report(refused!.id, 'delivered')).toBe(undefined)
    expect(await simulated.report('none', 'delivered')).toBe(undefined)
  })
})

describe('the simulator', () => {
  it('goes on, whatever comes in', async () => {
    const broken = [
      'GET\r\n\r\n',
      '\r\n\r\n\r\n',
      'POST /v23.0/106540352242922/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"to":',
      'POST /checkSendAbility HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'GET /v1.0/%zz?fields=%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'GET //[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]
    for (const bytes of broken) await converse(simulated.url, (socket) => socket.end(bytes))
    const large = `POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`
    const answers = await converse(simulated.url, (socket) => void socket.write(large))
    expect(statusesOfAnswers(answers)).toEqual([413])
    await both()
    expect(await simulated.statuses()).toContain('delivered')
  })

  it('remembers the last of very many messages', async () => {
    const other = await startSimulated({ keepMax: 5 })
    const sent: string[] = []
    for (let index = 0; index < 9; index++) {
      sent.push(`+1415555${3000 + (index % 4)}`)
      await other.whatsapp(sent.at(-1)!)
    }
    const kept = other.phones().flatMap((one) => one.messages.map(() => one.phone))
    expect(kept.toSorted()).toEqual(sent.slice(-5).toSorted())
    expect(other.state()).toMatchObject({ taken: 9 })
    await other.close()
  })

  it('shows nothing of a code to who may not see it: its notes hold none', async () => {
    const notes: string[] = []
    const other = await startSimulated({ onNote: ({ text }) => notes.push(text) }, { status: 500 })
    await other.whatsapp(phone)
    await other.whatsapp(phone, { type: 'text' })
    await other.sendByTelegram(phone, { ttl: 1 })
    await other.settled()
    expect(notes.length).toBeGreaterThan(2)
    expect(notes.join()).not.toContain(code)
    await other.close()
  })
})
