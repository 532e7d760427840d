/** What simulated phones were handed through all the faults, held to what is promised. */
import type postgres from 'postgres'
import { expect } from 'vitest'
import type { MessageView } from '../../src/simulator/phones.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'

/** Milliseconds that a request may take on a busy machine, after its code was found to be good still. */
const onTheWayMs = 2000

/** Of answers that tell nothing of the message. */
const unclear = ['hangs', 'resets', 'answer-lost', 'html', 'broken-json', 'refused-once:131000']

/** @param settled notifications whose first hand-over was written down before anything was killed */
export async function expectHandOvers(
  sql: postgres.Sql,
  simulator: Simulator,
  settled: ReadonlySet<string>,
): Promise<void> {
  const rows = await sql`select id, kind, phone, expires_at from message`
  const messages = new Map(rows.map((row) => [row.id as string, row]))
  let twice = 0
  for (const { phone, messages: handed } of simulator.phones()) {
    const codes = new Set(handed.flatMap(({ code }) => code ?? []))
    expect(codes.size, `different digits for ${phone}`).toBeLessThanOrEqual(1)
    const named = handed.filter(({ reference }) => reference !== null)
    for (const one of named) {
      const message = messages.get(idIn(one))
      expect(message, `${one.reference} is there`).toMatchObject({ phone })
      const endsAt = message?.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
      expect(Date.parse(one.at), `${one.reference} after its end`).toBeLessThan(endsAt + onTheWayMs)
    }
    if (!named.some((one) => messages.get(idIn(one))?.kind === 'notification')) continue
    const [first, ...others] = named.filter((one) => !isRefusal(one))
    expect(others.length, `${first?.reference} again and again`).toBeLessThanOrEqual(1)
    twice += others.length
    if (!first || others.length === 0 || !settled.has(idIn(first))) continue
    expect(unclear, `${first.reference} twice`).toContain(first.fault)
  }
  const { taken, refused } = simulator.state()
  process.stdout.write(`  ${taken} taken, ${refused} refused or lost; ${twice} notifications twice\n`)
}

/** The message that its sender names: `<account>/<message id>/<leg>`, or by SMS `<message id>.<leg>`. */
function idIn({ reference }: MessageView): string {
  return /req_\w+/.exec(reference ?? '')?.[0] ?? ''
}

/** Whether the answer said that nothing left. */
function isRefusal({ taken, outcome }: MessageView): boolean {
  return !taken && /^(\d+|FLOOD_WAIT_\d+|retry)$/.test(outcome) && outcome !== '131000'
}
