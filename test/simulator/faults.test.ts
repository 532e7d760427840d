/** Each fault of the table, as it is seen on the wire and in the reports. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChaos } from '../../src/simulator/chaos.ts'
import { faultTable, findFault, passing, type WireName } from '../../src/simulator/faults.ts'
import { standardOptions } from '../../src/simulator/options.ts'
import { createSignature } from '../../src/simulator/telegram/reports.ts'
import { reference, type Simulated, startSimulated, statusObjectsIn, type Wired } from '../support/simulated.ts'

const slowMs = 40

let simulated: Simulated
beforeEach(async () => {
  simulated = await startSimulated({ slowMs })
})
afterEach(() => simulated.close())

/** A number of the fault. */
function numberOf(name: string): string {
  return `${faultTable.find((row) => row.name === name)!.prefix}7`
}

const send = {
  whatsapp: (phone: string) => simulated.whatsapp(phone),
  telegram: (phone: string) => simulated.sendByTelegram(phone),
}
/** `sms.test.ts` looks at them. */
const smsFaults = [
  ...['refused:not_on_channel', 'refused:opted_out', 'refused:country_blocked', 'refused:rejected_by_channel'],
  ...['refused-once:retry', 'failed:unreachable', 'failed:not_on_channel', 'wrong-token'],
]
const wires: Exclude<WireName, 'sms'>[] = ['whatsapp', 'telegram']
const isTaken = (answer: Wired) => Boolean(answer.json?.ok ?? answer.json?.messages)
const refusalIn = ({ json }: Wired) => json.error?.code ?? json.error
const takenBy = (phone: string) => simulated.phone(phone).messages.filter(({ taken }) => taken)

/** Faults whose answer and reports are all that there is to them: what is reported by WhatsApp and by Telegram. */
const reported: Record<string, [whatsapp: string[], telegram: string[]]> = {
  delivered: [['sent', 'delivered'], ['delivered']],
  read: [
    ['sent', 'delivered', 'read'],
    ['delivered', 'read'],
  ],
  silent: [[], []],
  'failed:131026': [['failed'], ['delivered']],
  'reported-twice': [
    ['sent', 'delivered', 'sent', 'delivered'],
    ['delivered', 'delivered'],
  ],
  'read-only': [['sent', 'read'], ['read']],
  'late-delivered': [
    ['failed', 'delivered'],
    ['expired', 'delivered'],
  ],
  expired: [['sent', 'delivered'], ['expired']],
  'old-timestamp': [['sent', 'delivered'], ['delivered']],
  'no-recipient': [['sent', 'delivered'], ['delivered']],
  'wrong-signature': [['sent', 'delivered'], ['delivered']],
}

/** What is answered at the first and the second time. */
const refused: Record<string, [Exclude<WireName, 'sms'>, unknown, unknown]> = {
  'refused-once:131056': ['whatsapp', 131_056, undefined],
  'refused:131000': ['whatsapp', 131_000, 131_000],
  'refused-once:FLOOD_WAIT_30': ['telegram', 'FLOOD_WAIT_30', undefined],
}

describe('messages that are taken', () => {
  it.each(Object.entries(reported))('are reported: %s', async (name, [byWhatsapp, byTelegram]) => {
    expect(isTaken(await send.whatsapp(numberOf(name)))).toBe(true)
    expect(await simulated.statuses()).toEqual(byWhatsapp)
    simulated.receiver.asked.length = 0
    expect(isTaken(await send.telegram(numberOf(name)))).toBe(true)
    expect(await simulated.statuses()).toEqual(byTelegram)
  })

  it('of failed:131026 have the error in the report', async () => {
    await send.whatsapp(numberOf('failed:131026'))
    const [failed] = statusObjectsIn((await simulated.reported())[0]!.body)
    expect(failed.errors).toMatchObject([{ code: 131_026, title: 'Message undeliverable' }])
    expect(failed).not.toHaveProperty('pricing')
  })

  it('of expired are refunded', async () => {
    const { json } = await send.telegram(numberOf('expired'))
    const report = JSON.parse((await simulated.reported())[0]!.body)
    expect(report.is_refunded).toBe(true)
    expect(report.remaining_balance).toBeCloseTo(json.result.remaining_balance + report.request_cost, 6)
  })

  it('of no-recipient are reported without recipient_id', async () => {
    await send.whatsapp(numberOf('no-recipient'))
    const statuses = statusObjectsIn((await simulated.reported())[0]!.body)
    for (const status of statuses) {
      expect(status).not.toHaveProperty('recipient_id')
      expect(status.biz_opaque_callback_data).toBe(reference)
    }
  })

  it('of thousand-reports are reported among 999 others', async () => {
    await send.whatsapp(numberOf('thousand-reports'))
    const [report, ...others] = await simulated.reported()
    expect(others).toEqual([])
    const statuses = statusObjectsIn(report!.body)
    expect(statuses).toHaveLength(1000)
    expect(new Set(statuses.map(({ id }) => id)).size).toBe(999)
    expect(statuses.filter((status) => status.biz_opaque_callback_data === reference)).toHaveLength(2)
  })

  it('of wrong-signature are reported once, signed by somebody else', async () => {
    simulated.receiver.behave({ status: 401 })
    for (const wire of wires) await send[wire](numberOf('wrong-signature'))
    const [byWhatsapp, byTelegram, ...others] = await simulated.reported()
    expect(others).toEqual([])
    const hex = createHmac('sha256', standardOptions.appSecret).update(byWhatsapp!.body).digest('hex')
    expect(byWhatsapp!.headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(byWhatsapp!.headers['x-hub-signature-256']).not.toBe(`sha256=${hex}`)
    const { 'x-request-timestamp': timestamp, 'x-request-signature': signature } = byTelegram!.headers
    const right = createSignature(standardOptions.telegramToken)(String(timestamp), byTelegram!.body)
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    expect(signature).not.toBe(right)
  })

  it('of old-timestamp are reported with a right signature of ten minutes ago', async () => {
    await send.telegram(numberOf('old-timestamp'))
    const [report] = await simulated.reported()
    const timestamp = String(report!.headers['x-request-timestamp'])
    expect(Date.now() / 1000 - Number(timestamp)).toBeGreaterThan(590)
    const right = createSignature(standardOptions.telegramToken)(timestamp, report!.body)
    expect(report!.headers['x-request-signature']).toBe(right)
  })

  it.each(wires)('of early-report are reported before the answer: %s', async (wire) => {
    const order: string[] = []
    simulated.receiver.behave(() => {
      order.push('report')
      return { status: 200 }
    })
    await send[wire](numberOf('early-report'))
    order.push('answer')
    await simulated.settled()
    expect(order).toEqual(['report', 'answer'])
  })

  it.each(wires)('of slow are answered late, and all the same: %s', async (wire) => {
    const started = performance.now()
    expect(isTaken(await send[wire](numberOf('slow')))).toBe(true)
    expect(performance.now() - started).toBeGreaterThanOrEqual(slowMs - 1)
  })
})

describe('messages that are refused', () => {
  it.each(Object.entries(refused))('are so: %s', async (name, [wire, first, second]) => {
    const phone = numberOf(name)
    expect(refusalIn(await send[wire](phone))).toBe(first)
    expect(takenBy(phone)).toEqual([])
    expect(refusalIn(await send[wire](phone))).toBe(second)
    expect(takenBy(phone)).toHaveLength(second === undefined ? 1 : 0)
    expect(await simulated.statuses()).toEqual(
      second !== undefined ? [] : wire === 'whatsapp' ? ['sent', 'delivered'] : ['delivered'],
    )
    // The other provider has nothing against it.
    for (const other of wires) if (other !== wire) expect(isTaken(await send[other](phone))).toBe(true)
  })

  it('once are refused once each', async () => {
    const phone = numberOf('refused-once:131056')
    const answers: unknown[] = []
    for (const name of ['a/1/1', 'a/1/1', 'a/2/1', 'a/2/1']) {
      answers.push(refusalIn(await simulated.whatsapp(phone, { biz_opaque_callback_data: name })))
    }
    expect(answers).toEqual([131_056, undefined, 131_056, undefined])
  })

  it('for the token: token-refused', async () => {
    const phone = numberOf('token-refused')
    const byWhatsapp = await send.whatsapp(phone)
    expect([byWhatsapp.status, refusalIn(byWhatsapp)]).toEqual([401, 190])
    expect(refusalIn(await send.telegram(phone))).toBe('ACCESS_TOKEN_INVALID')
    const ability = await simulated.telegram('checkSendAbility', { phone_number: phone })
    expect(refusalIn(ability)).toBe('ACCESS_TOKEN_INVALID')
  })

  it('in an answer 200: error-in-200', async () => {
    const byWhatsapp = await send.whatsapp(numberOf('error-in-200'))
    expect([byWhatsapp.status, refusalIn(byWhatsapp)]).toEqual([200, 131_026])
    const byTelegram = await send.telegram(numberOf('error-in-200'))
    expect(byTelegram).toMatchObject({ status: 200, json: { ok: false, error: 'AN_ERROR_NOBODY_DOCUMENTED' } })
  })

  it.each([
    ['not-on-telegram', ['sent', 'delivered']],
    ['nowhere', ['failed']],
  ])('because the number is not on Telegram, before a code is sent: %s', async (name, byWhatsapp) => {
    const phone = numberOf(name)
    const ability = await simulated.telegram('checkSendAbility', { phone_number: phone })
    expect(refusalIn(ability)).toBe('PHONE_NUMBER_NOT_FOUND')
    expect(refusalIn(await send.telegram(phone))).toBe('PHONE_NUMBER_NOT_FOUND')
    expect(isTaken(await send.whatsapp(phone))).toBe(true)
    expect(await simulated.statuses()).toEqual(byWhatsapp)
  })
})

describe('answers that do not arrive', () => {
  /** Whether the phone has the message all the same. */
  const cut: [string, boolean][] = [
    ['resets', false],
    ['answer-lost', true],
  ]
  it.each(cut)('are cut off: %s', async (name, isThere) => {
    for (const wire of wires) {
      await expect(send[wire](numberOf(name))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    }
    expect(takenBy(numberOf(name))).toHaveLength(isThere ? 2 : 0)
    expect(await simulated.statuses()).toEqual(isThere ? expect.arrayContaining(['sent', 'delivered']) : [])
  })

  it('never come: hangs', async () => {
    const other = await startSimulated()
    other.setFault('+14155552671', 'hangs')
    const waiting = other.whatsapp('+14155552671').then(
      () => 'answered',
      () => 'ended',
    )
    // One that comes later is answered, and the first one still waits.
    expect(isTaken(await other.whatsapp('+14155552672'))).toBe(true)
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits')
    expect(other.phone('+14155552671').messages).toMatchObject([{ taken: false, outcome: 'hangs' }])
    await other.close()
    expect(await waiting).toBe('ended')
  })

  it.each(wires)('are a page: html, %s', async (wire) => {
    const answer = await send[wire](numberOf('html'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('<html>')
    expect(takenBy(numberOf('html'))).toEqual([])
  })

  it.each(wires)('are half there: broken-json, %s', async (wire) => {
    const answer = await send[wire](numberOf('broken-json'))
    expect([answer.status, answer.json]).toEqual([200, undefined])
    expect(answer.text).toMatch(/^\{"/)
    expect(takenBy(numberOf('broken-json'))).toHaveLength(1)
    expect(await simulated.statuses()).toContain('delivered')
  })
})

describe('the table', () => {
  it('has ten numbers of their own for each fault, and no fault that this file does not look at', () => {
    const prefixes = faultTable.flatMap(({ prefix }) => prefix ?? [])
    expect(new Set(prefixes).size).toBe(prefixes.length)
    for (const prefix of prefixes) expect(prefix).toMatch(/^\+1415555\d{3}$/)
    const others = ['thousand-reports', 'early-report', 'slow', 'token-refused', 'error-in-200', 'not-on-telegram']
    const wire = ['nowhere', 'resets', 'answer-lost', 'hangs', 'html', 'broken-json']
    const seen = [...Object.keys(reported), ...Object.keys(refused), ...others, ...wire, ...smsFaults]
    const named = faultTable.filter(({ prefix }) => prefix).map(({ name }) => name)
    expect(named.toSorted()).toEqual(seen.toSorted())
  })

  it('knows what it lists, and nothing else', () => {
    for (const name of [...passing, ...faultTable.map(({ name }) => name.replace('CODE', '131049'))]) {
      expect(findFault(name), name).toBeDefined()
    }
    const others = [
      '',
      'hang',
      'toString',
      '__proto__',
      'refused',
      'refused:',
      'refused:x',
      'failed:FLOOD',
      'refused:-1',
    ]
    for (const name of others) expect(findFault(name), name).toBeUndefined()
  })
})

describe('a fault that is set', () => {
  const phone = '+14155552671'

  it('takes the place of what the number says, on the wires that it is about, until it is taken away', async () => {
    simulated.setFault(phone, 'refused:131049')
    expect(refusalIn(await send.whatsapp(phone))).toBe(131_049)
    expect(isTaken(await send.telegram(phone))).toBe(true)
    simulated.setFault(phone, 'error-in-200', 'telegram')
    expect(refusalIn(await send.telegram(phone))).toBe('AN_ERROR_NOBODY_DOCUMENTED')
    expect(refusalIn(await send.whatsapp(phone))).toBe(131_049)
    simulated.setFault(phone, null)
    for (const wire of wires) expect(isTaken(await send[wire](phone))).toBe(true)
    simulated.setFault(numberOf('token-refused'), 'delivered')
    expect(isTaken(await send.whatsapp(numberOf('token-refused')))).toBe(true)
  })

  it('is one that there is, on a wire that it is about', () => {
    expect(() => simulated.setFault(phone, 'none')).toThrow('There is no fault "none".')
    expect(() => simulated.setFault(phone, 'expired', 'whatsapp')).toThrow('expired is no fault of whatsapp.')
  })
})

describe('chaos', () => {
  const phones = Array.from({ length: 40 }, (_, index) => `+1415555${3000 + index}`)
  // None that takes away the answer, so that each can be read.
  const faults = ['refused:131056', 'error-in-200', 'html']
  const outcomes = async (order: string[]) => {
    const answers = new Map<string, unknown[]>()
    for (const phone of [...order, ...order]) {
      const { status } = await send.whatsapp(phone)
      answers.set(phone, [...(answers.get(phone) ?? []), [status, simulated.phone(phone).messages.at(-1)?.fault]])
    }
    return Object.fromEntries(answers)
  }

  it('meets as many requests as it is told to, the same ones with the same seed, whatever the order', async () => {
    simulated.chaos({ probability: 0.3, seed: 1, faults })
    const first = await outcomes(phones)
    simulated.chaos({ probability: 0.3, seed: 1, faults })
    expect(await outcomes(phones.toReversed())).toEqual(first)
    const met = Object.values(first)
      .flat()
      .filter((one) => (one as [number, string])[1] !== 'delivered').length
    expect(met).toBeGreaterThan(10)
    expect(met).toBeLessThan(40)
    simulated.chaos({ probability: 0.3, seed: 2, faults })
    expect(await outcomes(phones)).not.toEqual(first)
  })

  it('meets questions too, leaves alone who has a fault already, and ends', async () => {
    simulated.chaos({ probability: 1, seed: 1, faults: ['refused:FLOOD_WAIT_1', 'refused:131056'] })
    const ability = await simulated.telegram('checkSendAbility', { phone_number: phones[0]! })
    expect(refusalIn(ability)).toBe('FLOOD_WAIT_1')
    expect(refusalIn(await send.whatsapp(phones[0]!))).toBe(131_056)
    expect(refusalIn(await send.whatsapp(numberOf('refused:131000')))).toBe(131_000)
    simulated.setFault(phones[0]!, 'delivered')
    expect(isTaken(await send.whatsapp(phones[0]!))).toBe(true)
    simulated.chaos(null)
    expect(isTaken(await send.whatsapp(phones[1]!))).toBe(true)
  })

  it('by itself has faults only that a right service gets over', () => {
    const chaos = createChaos()
    chaos.set({ probability: 1, seed: 7 })
    const met = wires.flatMap((wire) => phones.map((phone) => [wire, chaos.draw(wire, phone)] as const))
    for (const [wire, name = ''] of met) {
      expect(passing).toContain(name)
      expect(findFault(name)).toHaveProperty(wire)
    }
    expect(new Set(met.map(([, name]) => name)).size).toBeGreaterThan(10)
  })
})

describe('slowness', () => {
  it('holds back each so many answers of the providers, and no other', async () => {
    simulated.slow({ every: 3, ms: 60 })
    const slow: boolean[] = []
    for (let count = 0; count < 6; count++) {
      const started = performance.now()
      await send.whatsapp('+14155552671')
      slow.push(performance.now() - started >= 59)
      expect((await simulated.admin('GET', '')).json.slowness).toEqual({ every: 3, ms: 60 })
    }
    expect(slow.filter(Boolean).length).toBeGreaterThanOrEqual(2)
    expect([slow[2], slow[5]]).toEqual([true, true])
  })
})
