/** The connections that a process holds open, while its operator changes them. */
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Channel, Kind, Outgoing } from '../../src/delivery/channel.ts'
import { createOpenConnections } from '../../src/delivery/openConnections.ts'
import { neverBeats } from '../../src/delivery/pulse.ts'
import { replaceConnections } from '../../src/store/channels/connection.ts'
import { openCommit } from '../support/commit.ts'
import { newConnection } from '../support/connection.ts'
import { createLateReads } from '../support/lateReads.ts'
import { testRuntime } from '../support/runtime.ts'
import { countTurns } from '../support/turns.ts'

const accountId = 'acct_default'

const { commit } = await openCommit()

const channel: Channel = { send: async () => ({ kind: 'sent' }), verify: () => false, parse: () => [] }
const gateway: Kind = { settings: z.looseObject({}), fields: () => [], carries: () => true, open: () => channel }

it('are those of the list that it was given last, whatever answer about them is on its way', async () => {
  const late = createLateReads(commit)
  const connections = createOpenConnections({
    commit: late.commit,
    kinds: { gateway },
    sandboxLive: true,
    forTests: { kind: 'sandbox', channel },
    openSettings: () => ({ settings: {} }),
    publicUrl: undefined,
    runtime: testRuntime(),
    startPulse: () => neverBeats,
    onRest: () => {},
  })
  const apply = (...ids: string[]) => {
    const rows = ids.map((id, index) => newConnection({ id, kind: 'gateway', position: index + 1 }))
    return commit.transaction((tx) => replaceConnections(tx, accountId, ids, rows))
  }
  const listed = async () => (await connections.ofAccount(accountId)).map(({ id }) => id)

  await apply('first', 'second')
  const held = late.holdNext()
  const earlier = listed()
  await held.arrived
  await apply('second')
  connections.forget(accountId)
  const meanwhile = listed()
  held.release()
  expect(await meanwhile).toEqual(['second'])
  await earlier
  expect(await listed()).toEqual(['second'])
  await connections.close()
})

it('are read one in a turn before they are opened, however many an account has', async () => {
  const turns = countTurns()
  onTestFinished(turns.end)
  const readIn: number[] = []
  const connections = createOpenConnections({
    commit,
    kinds: { gateway: { ...gateway, prepare: () => void readIn.push(turns.now()) } },
    forTests: { kind: 'sandbox', channel },
    openSettings: () => ({ settings: {} }),
    publicUrl: undefined,
    sandboxLive: true,
    runtime: testRuntime(),
    startPulse: () => neverBeats,
    onRest: () => {},
  })
  const rows = Array.from({ length: 20 }, (_, n) => newConnection({ id: `c${n}`, kind: 'gateway', position: n + 1 }))
  const ids = rows.map(({ id }) => id)
  await commit.transaction((tx) => replaceConnections(tx, accountId, ids, rows))
  expect(await connections.ofAccount(accountId)).toHaveLength(20)
  expect(new Set(readIn).size).toBe(20)
  connections.forget(accountId)
  await connections.ofAccount(accountId)
  // What stays open is not read again.
  expect(readIn).toHaveLength(20)
  await connections.close()
})

it('one that the service fails to open hands its codes on, and is no refusal of its settings', async () => {
  const runtime = testRuntime()
  const connections = createOpenConnections({
    commit,
    kinds: { gateway: { ...gateway, open: () => (undefined as unknown as { open: () => Channel }).open() } },
    sandboxLive: true,
    forTests: { kind: 'sandbox', channel },
    openSettings: () => ({ settings: {} }),
    publicUrl: undefined,
    runtime,
    startPulse: () => neverBeats,
    onRest: () => {},
  })
  const row = newConnection({ id: 'broken', kind: 'gateway', position: 1 })
  await commit.transaction((tx) => replaceConnections(tx, accountId, [row.id], [row]))
  const [opened] = await connections.ofAccount(accountId)
  const sent = opened?.channel.send({} as Outgoing)
  await expect(sent).rejects.toThrow(expect.objectContaining({ name: 'AskFault', isUnsent: true }))
  expect(runtime.internalErrors.count('open')).toBe(1)
  expect(runtime.lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, msg: 'an error of this service', place: 'open', connection: 'broken', error: { type: 'TypeError' } },
  ])
  await connections.close()
})
