/** A service, and the simulator in place of WhatsApp and Telegram: real HTTP both ways. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import type { ProviderFile } from '../../src/delivery/channels/sms/providerFile.ts'
import { type SimulatorOptions, standardOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { TimelineStep } from '../../src/store/schema/schema.ts'
import type { Client } from './client.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

/** An entry of a list of connections, as an operator writes it. */
export type Entry = { id: string } & Record<string, unknown>

export interface SimulatedAccount {
  accountId: string
  /** With its live key. */
  live: Client
  /** Where the connection of that id gets its reports. */
  webhook: (connection: string) => string
}

interface Scene {
  server: TestServer
  simulator: Simulator
}

let accounts = 0

/** @returns the connection `wa-eu` to the simulated WhatsApp. `phone_number_id` tells accounts apart */
export function whatsappEntry(simulator: Pick<Simulator, 'url'>, more: object = {}): Entry {
  const { whatsappToken, appSecret, verifyToken, businessAccountId, phoneNumberIds } = standardOptions
  return {
    id: 'wa-eu',
    kind: 'whatsapp',
    phone_number_id: phoneNumberIds[0],
    business_account_id: businessAccountId,
    access_token: whatsappToken,
    app_secret: appSecret,
    verify_token: verifyToken,
    code_template: { name: 'auth_copy_code', language: 'en_US' },
    per_second: 1000,
    base_url: simulator.url,
    ...more,
  }
}

/** @returns the connection `tg` to the simulated Telegram */
export function telegramEntry(simulator: Pick<Simulator, 'url'>, more: object = {}): Entry {
  return {
    id: 'tg',
    kind: 'telegram',
    access_token: standardOptions.telegramToken,
    base_url: simulator.url,
    ...more,
  }
}

/** @returns the connection `sms` to the simulated Twilio */
export function smsEntry(simulator: Pick<Simulator, 'sms'>, more: object = {}): Entry {
  const { base_url, settings } = simulator.sms('twilio')
  const account_sid = 'AC00000000000000000000000000000000'
  return {
    id: 'sms',
    kind: 'sms',
    provider: 'twilio',
    account_sid,
    from: '+15005550006',
    base_url,
    ...settings,
    ...more,
  }
}

/** @returns a connection to the simulated provider of that file, with all that the file needs */
export function entryOf(file: ProviderFile, simulator: Pick<Simulator, 'sms'>, more: object = {}): Entry {
  const { provider } = file
  const { base_url, settings } = simulator.sms(provider)
  const asked = Object.values(file.settings).map(({ name_needs }) => name_needs)
  const needed = Object.entries(file.settings).filter(
    ([name, { optional }]) => (!optional && name !== 'base_url') || name === file.one_of?.[0] || asked.includes(name),
  )
  const own = Object.fromEntries(needed.map(([name, setting]) => [name, settings[name] ?? firstValue(setting)]))
  return { id: provider, kind: 'sms', provider, base_url, ...settings, ...own, ...more }
}

/** One that the file takes. */
function firstValue({ begins, length = 0, values, of }: ProviderFile['settings'][string]): string {
  if (of === 'phone') return '+14155550199'
  return values?.[0] ?? ([begins ?? 'acme'].flat()[0] ?? '').padEnd(length, '0')
}

export type Simulation = ReturnType<typeof createSimulation>

/** One service and one simulator for a file of tests; they have the same clock. */
export function createSimulation(options: { simulator?: Partial<SimulatorOptions>; server?: ServerOptions } = {}) {
  const scene = {} as Scene
  beforeAll(async () => {
    const now = () => scene.server.runtime.now()
    scene.simulator = await createSimulator({ now, ...options.simulator })
    scene.server = await startServer(options.server)
  })
  afterAll(async () => {
    await scene.server.close()
    await scene.simulator.close()
  })

  return Object.assign(scene, {
    whatsapp: (more?: object) => whatsappEntry(scene.simulator, more),
    telegram: (more?: object) => telegramEntry(scene.simulator, more),
    /** An account of its own with these connections, to which the simulator reports from now on. */
    accountWith: async (...entries: Entry[]): Promise<SimulatedAccount> => {
      accounts += 1
      const { server, simulator } = scene
      const { id: accountId, name: account } = await server.app.accounts.create(`simulation ${accounts}`)
      const phoneNumberId = String(1_000_000 + accounts)
      const webhook = (connection: string) => `${server.directUrl}/providers/${accountId}/${connection}`
      for (const entry of entries) {
        if (entry.kind === 'whatsapp') entry.phone_number_id = phoneNumberId
        simulator.pointAt(
          entry.kind === 'whatsapp'
            ? { numbers: { [phoneNumberId]: webhook(entry.id) } }
            : { telegram: webhook(entry.id) },
        )
      }
      await server.app.connections.apply(accountId, entries)
      return { accountId, webhook, live: server.as(await server.key({ mode: 'live', account })) }
    },
    /** Lets the worker and the providers do all that is due, in turns. */
    run: async () => {
      for (let jobs = 1; jobs > 0; ) {
        jobs = await scene.server.runJobs()
        await scene.simulator.settled()
      }
      await scene.server.work()
    },
    /** What an operator sees of a message. */
    timeline: async (id: string): Promise<readonly TimelineStep[]> => (await scene.server.app.history(id)).timeline,
    notes: async (id: string): Promise<string[]> =>
      (await scene.server.app.history(id)).timeline.flatMap(({ note }) => note ?? []),
    /** What a phone was handed, by whatever provider. */
    taken: (phone: string) => scene.simulator.phone(phone).messages.filter(({ taken }) => taken),
  })
}

/** What a relay was asked. */
export interface Relayed {
  path: string
  body: Record<string, unknown>
}

/** A relay in front of a provider, which remembers what it was asked. */
export async function startRelay(target: string) {
  const asked: Relayed[] = []
  const server = createServer(async (request, response) => {
    const [path = '', body] = [request.url, await text(request)]
    asked.push({ path, body: JSON.parse(body) as Relayed['body'] })
    const { authorization = '' } = request.headers
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' }
    const answer = await fetch(target + path, { method: 'POST', headers, body })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
