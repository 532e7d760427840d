/** What a channel says of itself, and where its tests play. */
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { groupLimits } from '../../../../src/admin.ts'
import type { Channel, Outcome, Receipt, Report } from '../../../../src/delivery/channel.ts'
import { createReceipts, type Receipts } from '../../../../src/delivery/receipts.ts'
import type { Runtime } from '../../../../src/runtime.ts'
import { type Commit, createCommit } from '../../../../src/store/commit.ts'
import { connect } from '../../../../src/store/connect.ts'
import type { Behaviour } from '../../../support/provider.ts'
import { startServer, type TestServer } from '../../../support/server.ts'
import { startTcpProxy } from '../../../support/tcpProxy.ts'

export interface ChannelDescription {
  name: string
  /** Milliseconds in which it answers here; at most the 10 seconds of the port. */
  answersWithinMs: number
  /** Makes the channel and the provider behind it. `secret` is what the two know of each other. */
  open: (ground: Ground, secret: string) => Promise<OpenChannel>
  /** Answers of its provider, and what they are to the service. Left out when nobody outside of the service answers. */
  outcomes?: [title: string, behaviour: Behaviour, outcome: Outcome][]
}

export interface Ground {
  commit: Commit
  runtime: Runtime
}

export interface OpenChannel {
  channel: Channel
  /** What its provider has for a message's id: a text each time that it took it for a new one. */
  received: (id: string) => Promise<string[]>
  /** The provider's reports of these, in as many posts as it takes. Every header is needed. */
  reports: (receipts: Pick<Receipt, 'accountId' | 'id' | 'status'>[]) => Report[]
  /** A body that the provider has signed, whatever is in it. */
  signed: (body: Buffer) => Report
  /** How the provider answers; undefined when there is none outside of the service. */
  behave?: (behaviour: Behaviour) => void
  /** What nobody may see. */
  tokens: string[]
  close: () => Promise<void>
}

/** Everything that a test of the suite works with. */
export interface Scene {
  server: TestServer
  open: OpenChannel
  /** The same kind of channel, of somebody else. */
  stranger: OpenChannel
  /** The same on a database that is away. */
  cut: OpenChannel
  receipts: Receipts
}

export const [code, phone] = ['046813', '+14155552671']

/** @param closers gets what ends all that was opened, also when something fails on the way */
export async function setScene(
  { open }: ChannelDescription,
  scene: Scene,
  closers: (() => Promise<void>)[],
): Promise<void> {
  // In the place of the built-in one, so that messages come to it as they do to all.
  const place: Channel = {
    send: (message) => scene.open.channel.send(message),
    verify: (report) => scene.open.channel.verify(report),
    parse: (body) => scene.open.channel.parse(body),
  }
  const server = await startServer({ overrides: { channels: { sandbox: place } } })
  closers.push(server.close)
  const { runtime, database, commit } = server
  const proxy = await startTcpProxy(database!.settings.url)
  closers.push(proxy.close)
  proxy.cut()
  const away = await connect({ kind: 'postgres', url: proxy.url, connectionsMax: 2 })
  closers.push(away.close)
  const ground = { commit, runtime }
  const secret = 'the secret of this channel, of enough characters'
  Object.assign(scene, {
    server,
    open: await open(ground, secret),
    stranger: await open(ground, 'the secret of another one, of enough characters'),
    cut: await open({ ...ground, commit: createCommit(away, groupLimits(away)) }, secret),
    // Reports that come at once bring no jobs.
    receipts: createReceipts({ commit, queue: {} as never, channels: () => ({ here: place }) }),
  })
  closers.push(scene.open.close, scene.stranger.close, scene.cut.close)
}

/** No code, phone or token is in there, in the errors' hidden corners either. */
export function expectSilent(shown: unknown[], tokens: string[]): void {
  const text = inspect(shown, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })
  for (const secret of [code, phone.slice(1), ...tokens]) expect(text.includes(secret)).toBe(false)
}
