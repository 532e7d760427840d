/** What reports say. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Receipt } from '../../../../src/delivery/channel.ts'
import { UnreadableReport } from '../../../../src/delivery/report.ts'
import { nastyLike } from './material.ts'
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

const all = ['delivered', 'read', 'failed'] as const
const noJson = [Buffer.from('{'), Buffer.from([0xff, 0xfe, 0])]

export function describeReports(description: ChannelDescription, scene: Scene): void {
  const { hasTimes = true, tells = all, unreadable = noJson } = description
  /** @returns undefined when it could not be read */
  const parse = (body: Buffer): Receipt[] | undefined => {
    try {
      const receipts = scene.read(body)
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
    for (const body of unreadable) expect(parse(body)).toBe(undefined)
  })

  it('reads receipts that the store takes, or refuses, whatever its provider has signed', () => {
    for (const status of ['delivered', 'failed'] as const) {
      const [sample] = scene.bodies([told(scene, { status })])
      fc.assert(
        fc.property(nastyLike(sample!.toString()), (body) => {
          parse(body)
        }),
        { numRuns: 400 },
      )
    }
  })

  it.each(tells)('reads that a message was %s, which one, and when', (status) => {
    const one = told(scene, { status })
    const bodies = scene.bodies([one])
    expect(bodies.every((body) => scene.channel.verify(scene.signed(body)))).toBe(true)
    const receipts = bodies.flatMap((body) => parse(body) ?? [])
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
    orMessage,
    providerMessageId,
    status,
    at,
    errorCode,
    reason = 'none',
    providerCode = 'none',
  } of receipts) {
    const ids = [message, orMessage].flatMap((one) => [one?.accountId, one?.id])
    for (const id of [...ids, providerMessageId]) expect(typeof (id ?? '')).toBe('string')
    expect(message ?? orMessage ?? providerMessageId).toBeDefined()
    expect(['sent', ...all]).toContain(status)
    expect(at.getTime()).toBeLessThanOrEqual(scene.runtime.now().getTime())
    expect(at.getTime()).toBeGreaterThan(0)
    expect(errorCode !== undefined).toBe(status === 'failed')
    expect(reason).toMatch(/^[\x20-\x7e]{1,220}$/)
    expect(providerCode).toMatch(/^[\x21-\x7e]{1,100}$/)
  }
}

function names(receipt: Receipt, { accountId, id, providerMessageId: own }: Told): boolean {
  const { message, providerMessageId, orMessage } = receipt
  if (!message && providerMessageId !== undefined) return providerMessageId === own
  const named = message ?? orMessage
  return named?.accountId === accountId && named.id === id
}
