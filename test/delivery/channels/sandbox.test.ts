/** The suite on the sandbox, and what its numbers do beside. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { commitOptions } from '../../../src/app/admin.ts'
import type { Channel, Kind, Outcome, Report } from '../../../src/delivery/channel.ts'
import { sandbox as kind } from '../../../src/delivery/channels/sandbox/kind.ts'
import { createSandbox } from '../../../src/delivery/channels/sandbox/sandbox.ts'
import { createSecrets } from '../../../src/domain/access/secret.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { isUnavailable } from '../../../src/store/engine/failure.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { testRuntime } from '../../support/runtime.ts'
import { startTcpProxy } from '../../support/tcpProxy.ts'
import { receiptsIn } from '../../support/told.ts'
import { outgoing } from './conformance/material.ts'
import { code, expectSilent } from './conformance/scene.ts'
import { describeChannel } from './conformance.ts'

const runtime = testRuntime()
const secret = 'a secret of the sandbox, of enough characters'
const closers: (() => Promise<void>)[] = []
let commit: Commit
let files: TestDatabase
let databaseUrl: string
beforeAll(async () => {
  files = await createDatabase()
  closers.push(files.drop)
  databaseUrl = files.settings.url
  commit = await commitOn(databaseUrl)
})
afterAll(async () => {
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
})

async function commitOn(url: string): Promise<Commit> {
  const database = await connect({ kind: 'postgres', url, connectionsMax: 2 })
  closers.push(database.close)
  return createCommit(database, commitOptions(database))
}

function openSandbox(on: Commit, secrets = createSecrets([secret])) {
  const reported: { report: Report; afterSeconds: number }[] = []
  const channel = createSandbox({
    commit: on,
    secrets,
    runtime,
    report: async (_tx, report, afterSeconds) => void reported.push({ report, afterSeconds }),
  })
  return { channel, reported }
}

const settings = z.strictObject({ secret: z.string().regex(/^\w{32,100}$/) })
/** It has no settings: what it signs with is the service's own secret, of which there are two here. */
const withSecret: Kind<z.infer<typeof settings>> = {
  ...kind,
  settings,
  forPeople: undefined,
  fields: () => [{ name: 'secret', title: 'Secret', about: 'Signs.', secret: true }],
  open: (opened) => openSandbox(commit, createSecrets([opened.secret])).channel,
}

describeChannel({
  name: 'sandbox',
  kind: withSecret,
  entry: (_url, secret) => ({ secret }),
  sign: (body, secret) => {
    const { hmac, keyId } = createSecrets([secret]).sign('report', body)
    return { 'x-sandbox-signature': `${keyId} ${hmac.toString('hex')}` }
  },
  bodies: (told) => [
    told.map(({ accountId, id, status }) => ({ account_id: accountId, id, connection: 'here', status })),
  ],
  hasTimes: false,
})

it('the sandbox has no settings', () => {
  expect(kind.settings.safeParse({}).success).toBe(true)
  expect(kind.settings.safeParse({ secret }).success).toBe(false)
})

describe('a message to the sandbox', () => {
  const phone = '+14155552671'
  const message = () => outgoing(runtime, { phone, content: { kind: 'verification', code } })

  it('is received once, with its digits, however often it is sent, also at once', async () => {
    const { channel, reported } = openSandbox(commit)
    const one = message()
    for (const attempt of [1, 2, 3]) expect(await channel.send({ ...one, attempt })).toEqual({ kind: 'sent' })
    await Promise.all([4, 5, 6].map((attempt) => channel.send({ ...one, attempt })))
    const received = await files.sql<{ text: string }[]>`select text from sandbox_message where id = ${one.id}`
    expect(received.map(({ text }) => text)).toEqual([expect.stringContaining(code)])
    expect(reported).toHaveLength(1)
  })

  it("throws only when the service's own database is away, and then says nothing of the message", async () => {
    const proxy = await startTcpProxy(databaseUrl)
    closers.push(proxy.close)
    proxy.cut()
    const { channel } = openSandbox(await commitOn(proxy.url))
    const error = await channel.send(message()).catch((thrown: unknown) => thrown)
    expect(isUnavailable(error)).toBe(true)
    expectSilent([error], { tokens: [secret] })
  })
})

describe('a number of the test range', () => {
  const sent: Outcome = { kind: 'sent' }
  const busy: Outcome = { kind: 'retry', reason: 'temporary error of the sandbox' }

  it.each([
    ['010x', '+14155550104', [sent], ['delivered'], 0],
    ['011x', '+14155550114', [sent], ['delivered', 'read'], 0],
    ['012x', '+14155550124', [sent], ['failed'], 0],
    ['013x', '+14155550134', [sent], [], 0],
    ['014x', '+14155550144', [sent], ['delivered'], 5],
    ['015x', '+14155550154', [busy, busy, sent], ['delivered'], 0],
    ['of no range', '+14155551230', [sent], ['delivered'], 0],
  ] as const)('%s: answers and reports as documented', async (_range, phone, outcomes, statuses, afterSeconds) => {
    const { channel, reported } = openSandbox(commit)
    const one = outgoing(runtime, { phone, content: { kind: 'verification', code: '000000' } })
    for (const [index, outcome] of outcomes.entries()) {
      expect(await channel.send({ ...one, attempt: index + 1 })).toEqual(outcome)
    }
    expect(reported.map((report) => report.afterSeconds)).toEqual(statuses.length > 0 ? [afterSeconds] : [])
    const receipts = reported.flatMap(({ report }) => readBack(channel, report))
    expect(receipts.map(({ status, errorCode }) => [status, errorCode])).toEqual(
      statuses.map((status) => [status, status === 'failed' ? 'not_on_channel' : undefined]),
    )
    expect(receipts.every(({ message, connection }) => message?.id === one.id && connection === 'here')).toBe(true)
  })

  it('016x: no code is even made for it', () => {
    const { channel } = openSandbox(commit)
    expect(channel.refuses?.('+14155550164')).toBe('resend_cooldown')
    expect(channel.refuses?.('+14155550154')).toBe(undefined)
  })
})

function readBack(channel: Channel, report: Report) {
  expect(channel.verify(report)).toBe(true)
  return receiptsIn(channel.parse(report.body))
}
