/** The suite on the sandbox, and what its numbers do beside. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupLimits } from '../../../src/admin.ts'
import type { Channel, Outcome, Report } from '../../../src/delivery/channel.ts'
import { createSandbox } from '../../../src/delivery/channels/sandbox/sandbox.ts'
import { createSecrets } from '../../../src/domain/secret.ts'
import { createCommit } from '../../../src/store/commit.ts'
import { connect } from '../../../src/store/connect.ts'
import type { Database } from '../../../src/store/database.ts'
import { listSandboxMessages } from '../../../src/store/sandboxMessage.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { testRuntime } from '../../support/runtime.ts'
import { outgoing } from './conformance/material.ts'
import type { Ground } from './conformance/scene.ts'
import { describeChannel } from './conformance.ts'

function openSandbox({ commit, runtime }: Ground, secret: string) {
  const secrets = createSecrets([secret])
  const reported: { report: Report; afterSeconds: number }[] = []
  const channel = createSandbox({
    commit,
    secrets,
    runtime,
    report: async (_tx, report, afterSeconds) => void reported.push({ report, afterSeconds }),
  })
  const signed = (body: Buffer): Report => {
    const { hmac, keyId } = secrets.sign('report', body)
    return { headers: { 'x-sandbox-signature': `${keyId} ${hmac.toString('hex')}` }, body }
  }
  return { channel, signed, reported }
}

describeChannel({
  name: 'sandbox',
  answersWithinMs: 10_000,
  open: async (ground, secret) => {
    const { channel, signed, reported } = openSandbox(ground, secret)
    const phones = new Set<string>()
    return {
      // It is the phone that remembers.
      channel: {
        ...channel,
        send: (message) => {
          phones.add(message.phone)
          return channel.send(message)
        },
      },
      received: async (id) => {
        const lists = [...phones].map((phone) => listSandboxMessages(ground.commit.reader, phone, ground.runtime.now()))
        const texts = (await Promise.all(lists)).flat().filter((row) => row.id === id)
        const reports = reported.filter(({ report }) => report.body.includes(id))
        expect(reports).toHaveLength(texts.length)
        return texts.map(({ text }) => text)
      },
      signed,
      reports: (list) => [
        signed(Buffer.from(JSON.stringify(list.map(({ accountId, ...rest }) => ({ account_id: accountId, ...rest }))))),
      ],
      tokens: [secret],
      close: async () => {},
    }
  },
})

describe('a number of the test range', () => {
  const runtime = testRuntime()
  let files: TestDatabase
  let database: Database
  let sandbox: ReturnType<typeof openSandbox>
  beforeAll(async () => {
    files = await createDatabase()
    database = await connect(files.settings)
    const commit = createCommit(database, groupLimits(database))
    sandbox = openSandbox({ commit, runtime }, 'a secret of the sandbox, of enough characters')
  })
  afterAll(async () => {
    await database.close()
    await files.drop()
  })

  const sent: Outcome = { kind: 'sent', providerMessageId: expect.stringMatching(/^sandbox-req_/) }
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
    const { channel, reported } = sandbox
    const one = outgoing(runtime, { phone, code: '000000' })
    for (const [index, outcome] of outcomes.entries()) {
      expect(await channel.send({ ...one, attempt: index + 1 })).toEqual(outcome)
    }
    const own = reported.filter(({ report }) => report.body.includes(one.id))
    expect(own.map((report) => report.afterSeconds)).toEqual(statuses.length > 0 ? [afterSeconds] : [])
    const receipts = own.flatMap(({ report }) => readBack(channel, report))
    expect(receipts.map(({ status, errorCode }) => [status, errorCode])).toEqual(
      statuses.map((status) => [status, status === 'failed' ? 'not_on_channel' : undefined]),
    )
  })

  it('016x: no code is even made for it', () => {
    expect(sandbox.channel.refuses?.('+14155550164')).toBe('resend_cooldown')
    expect(sandbox.channel.refuses?.('+14155550154')).toBe(undefined)
  })
})

function readBack(channel: Channel, report: Report) {
  expect(channel.verify(report)).toBe(true)
  return channel.parse(report.body)
}
