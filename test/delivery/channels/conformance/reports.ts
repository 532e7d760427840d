/** What reports say. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Receipt } from '../../../../src/delivery/channel.ts'
import { UnreadableReport } from '../../../../src/delivery/report.ts'
import { nastyJson } from './material.ts'
import { type ChannelDescription, code, expectSilent, phone, type Scene, type Told } from './scene.ts'

export function told(scene: Pick<Scene, 'runtime'>, changes: Partial<Told> = {}): Told {
  const { runtime } = scene
  const at = new Date(runtime.now().getTime() - 60_000)
  const id = `req_${runtime.newId()}`
  return {
    accountId: 'acct_default',
    id,
    leg: 1,
    providerMessageId: 'provider.id-1',
    status: 'delivered',
    at,
    ...changes,
  }
}

export function describeReports({ hasTimes = true }: ChannelDescription, scene: Scene): void {
  /** @returns undefined when it could not be read */
  const parse = (body: Buffer): Receipt[] | undefined => {
    try {
      const receipts = scene.channel.parse(body)
      expectReceipts(receipts, scene)
      return receipts
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error
      expectSilent([error], scene)
      return undefined
    }
  }

  it('refuses what is not of its form as unreadable, and quotes nothing of it', () => {
    const bodies = ['', '{', 'null', '1', '"x"', '\0', `{"code":"${code}","to":"${phone}"}`, `${code} ${phone}`]
    for (const body of [...bodies, '['.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000)]) {
      parse(Buffer.from(body))
    }
    expect(parse(Buffer.from('{'))).toBe(undefined)
    expect(parse(Buffer.from([0xff, 0xfe, 0]))).toBe(undefined)
  })

  it('reads receipts that the store takes, or refuses, whatever its provider has signed', () => {
    for (const status of ['delivered', 'failed'] as const) {
      const [sample] = scene.bodies([told(scene, { status })])
      fc.assert(
        fc.property(nastyJson(JSON.parse(sample!.toString())), (body) => {
          parse(body)
        }),
        { numRuns: 400 },
      )
    }
  })

  it.each(['delivered', 'read', 'failed'] as const)('reads that a message was %s, which one, and when', (status) => {
    const one = told(scene, { status })
    const reports = scene.bodies([one]).map(scene.signed)
    expect(reports.every((report) => scene.channel.verify(report))).toBe(true)
    const receipts = reports.flatMap(({ body }) => parse(body) ?? [])
    const at = hasTimes ? one.at : scene.runtime.now()
    expect(receipts.map((receipt) => [receipt.status, receipt.at])).toEqual([[status, at]])
    expect(receipts.every((receipt) => names(receipt, one))).toBe(true)
    expect(receipts.every(({ errorCode }) => (errorCode !== undefined) === (status === 'failed'))).toBe(true)
  })

  it('takes the time of a report for now when it cannot be', () => {
    const now = scene.runtime.now()
    for (const days of [-400, 1, 3000]) {
      const at = new Date(now.getTime() + days * 24 * 3600 * 1000)
      const receipts = scene.bodies([told(scene, { at })]).flatMap((body) => parse(body) ?? [])
      expect(receipts.map((receipt) => receipt.at)).toEqual([now])
    }
  })

  it('reads the reports of a thousand messages, in as many bodies as its provider makes of them', () => {
    const list = Array.from({ length: 1000 }, (_, at) => told(scene, { providerMessageId: `id-${at}` }))
    const receipts = scene.bodies(list).flatMap((body) => parse(body) ?? [])
    expect(receipts).toHaveLength(1000)
    expect(receipts.every((receipt, at) => names(receipt, list[at]!))).toBe(true)
  })
}

/** They name a message, and the store can be asked for them. */
export function expectReceipts(receipts: readonly Receipt[], scene: Scene): void {
  for (const {
    message,
    providerMessageId,
    status,
    at,
    errorCode,
    reason = 'none',
    providerCode = 'none',
  } of receipts) {
    for (const id of [message?.accountId, message?.id, providerMessageId]) expect(typeof (id ?? '')).toBe('string')
    expect(message ?? providerMessageId).toBeDefined()
    expect(['delivered', 'read', 'failed']).toContain(status)
    expect(at.getTime()).toBeLessThanOrEqual(scene.runtime.now().getTime())
    expect(at.getTime()).toBeGreaterThan(0)
    expect(errorCode !== undefined).toBe(status === 'failed')
    expect(reason).toMatch(/^[\x20-\x7e]{1,220}$/)
    expect(providerCode).toMatch(/^[\x21-\x7e]{1,100}$/)
  }
}

function names({ message, providerMessageId }: Receipt, { accountId, id, providerMessageId: own }: Told): boolean {
  return message ? message.accountId === accountId && message.id === id : providerMessageId === own
}
