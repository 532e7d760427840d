/** What reports say, and what becomes of messages by them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Receipt } from '../../../../src/delivery/channel.ts'
import { UnreadableReport } from '../../../../src/delivery/report.ts'
import { newPhone } from '../../../support/server.ts'
import { nastyJson } from './material.ts'
import { code, expectSilent, phone, type Scene } from './scene.ts'

export function describeParsing(scene: Scene): void {
  /** @returns whether it could be read; what it is, the store has taken */
  const accept = async (body: Buffer): Promise<boolean> => {
    const { open, receipts } = scene
    try {
      expect(await receipts.accept('here', open.signed(body))).toBe(true)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableReport)
      expectSilent([error], open.tokens)
      return false
    }
  }

  it('refuses what is not of its form as unreadable, and quotes nothing of it', async () => {
    const bodies = ['', '{', 'null', '1', '"x"', '\0', `{"code":"${code}","to":"${phone}"}`, `${code} ${phone}`]
    for (const body of [...bodies, '['.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000)]) {
      await accept(Buffer.from(body))
    }
    expect(await accept(Buffer.from('{'))).toBe(false)
    expect(await accept(Buffer.from([0xff, 0xfe, 0]))).toBe(false)
  })

  it('reads receipts that the store takes, or refuses, whatever its provider has signed', async () => {
    const [sample] = scene.open.reports([
      { accountId: 'acct_default', id: `req_${'0'.repeat(26)}`, status: 'delivered' },
    ])
    await fc.assert(
      fc.asyncProperty(nastyJson(JSON.parse(sample!.body.toString())), async (body) => {
        await accept(body)
      }),
      { numRuns: 400 },
    )
  })
}

export function describeReports(scene: Scene): void {
  const sent = async (): Promise<string> => {
    scene.open.behave?.({ status: 200, body: '{}' })
    const id = await scene.server.live.send(newPhone())
    await scene.server.work()
    expect(await scene.server.live.status(id)).toBe('sent')
    return id
  }
  const report = async (...list: [id: string, status: Receipt['status'], accountId?: string][]) => {
    const told = list.map(([id, status, accountId = 'acct_default']) => ({ accountId, id, status }))
    for (const one of scene.open.reports(told)) expect(await scene.receipts.accept('here', one)).toBe(true)
  }

  it.each([
    [['delivered'], 'delivered'],
    [['read'], 'read'],
    [['failed'], 'failed'],
    [['delivered', 'delivered', 'delivered'], 'delivered'],
    [['read', 'delivered'], 'read'],
    [['failed', 'delivered', 'failed'], 'delivered'],
  ] as const)('brings a message, reported %j, to %s, however the reports are posted', async (statuses, final) => {
    const [one, another] = [await sent(), await sent()]
    await report(...statuses.map((status) => [one, status] as [string, typeof status]))
    for (const status of statuses) await report([another, status])
    expect([await scene.server.live.status(one), await scene.server.live.status(another)]).toEqual([final, final])
  })

  it('passes over ids and accounts that are not known, and takes what is reported beside them', async () => {
    const id = await sent()
    const unknown = `req_${'Z'.repeat(26)}`
    await report([unknown, 'delivered'], [id, 'read', 'acct_unknown'], [id, 'delivered'], ['x', 'failed'])
    expect(await scene.server.live.status(id)).toBe('delivered')
  })

  it('reads the reports of a thousand messages at once', async () => {
    const unknown = `req_${'Z'.repeat(26)}`
    const id = await sent()
    const started = performance.now()
    await report(...Array.from({ length: 999 }, (): [string, 'read'] => [unknown, 'read']), [id, 'delivered'])
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await scene.server.live.status(id)).toBe('delivered')
  })
}
