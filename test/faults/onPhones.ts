/** What was acknowledged, held to what simulated phones have got. */
import postgres from 'postgres'
import { expect } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { countOpen, expectWhole, settleMs } from './load.ts'
import type { Service } from './service.ts'

export interface Sent {
  databaseUrl: string
  simulator: Simulator
  /** The phone of each message. */
  acknowledged: Map<string, string>
  post: Service['post']
}

/** The phones are none of the database's: they have what was really sent. */
export async function expectOnPhones({ databaseUrl, simulator, acknowledged, post }: Sent): Promise<void> {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  await expect.poll(() => countOpen(sql), { timeout: settleMs, interval: 500 }).toBe(0)
  await simulator.settled()
  const kept = new Map((await sql`select id, phone from message`).map(({ id, phone }) => [id, phone]))
  expect(
    [...acknowledged].filter(([id, phone]) => kept.get(id) !== phone),
    'lost',
  ).toEqual([])
  await expectWhole(sql)
  await sql.end()

  const handed = new Map(simulator.phones().map(({ phone, messages }) => [phone, messages]))
  const codesOf = (phone: string) => new Set((handed.get(phone) ?? []).flatMap(({ code }) => code ?? []))
  expect(
    [...handed.keys()].filter((phone) => codesOf(phone).size > 1),
    'different digits',
  ).toEqual([])
  expect(
    [...acknowledged.values()].filter((phone) => codesOf(phone).size === 0),
    'never sent',
  ).toEqual([])
  const twice = [...handed.values()].filter((messages) => messages.length > 1).length
  process.stdout.write(`  0 lost, 0 with different digits, ${twice} with the same digits twice\n`)

  const some = [...acknowledged].slice(-100)
  for (const [id, phone] of some) {
    const check = async () =>
      (await post('/v1/verify/check', { request_id: id, code: [...codesOf(phone)][0] ?? '' })).json()
    expect(await check()).toMatchObject({ data: { verified: true } })
    expect(await check()).toMatchObject({ data: { verified: false, reason: 'already_verified' } })
  }
}
