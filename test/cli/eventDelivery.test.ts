/** What a command does with events of an endpoint that is more than one call can do. */
import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { addDeliveries } from '../../src/cli/eventDelivery.ts'
import type { Shell } from '../../src/cli/shell.ts'
import type { ReplayedTime, ReplayStep } from '../../src/domain/webhooks/endpointDelivery.ts'

afterEach(() => vi.restoreAllMocks())

it('a replay goes on until all is sent again, and says how far it is meanwhile', async () => {
  const until = new Date('2026-11-21T09:00:00Z')
  const place = (eventId: string) => ({ after: { at: new Date(0), eventId }, until })
  const steps: ReplayStep[] = [
    { count: 5000, next: place('evt_1') },
    { count: 0, next: place('evt_2') },
    { count: 21, next: undefined },
  ]
  const asked: unknown[] = []
  const replay = async (_key: unknown, { since }: ReplayedTime) => {
    asked.push(since)
    return steps[asked.length - 1]
  }
  const admin = { now: () => until, endpoints: { require: async (id: string) => ({ id }), replay } }
  const administer = (work: (given: never) => Promise<void>) => work(admin as never)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text
      return true
    })
  }
  const program = new Command()
  addDeliveries(program, { administer } as unknown as Shell)
  await program.parseAsync(['replay', 'ep_1', '--since', '1h', '--json'], { from: 'user' })
  expect(asked).toEqual([new Date('2026-11-21T08:00:00Z'), place('evt_1'), place('evt_2')])
  expect(JSON.parse(written.stdout)).toEqual({ id: 'ep_1', replayed: 5021 })
  expect(written.stderr).toBe('Events sent again so far: 5000.\nEvents sent again so far: 5000.\n')
})
