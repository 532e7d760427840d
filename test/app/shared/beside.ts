/** Takes all that one may of what everybody shares, while another account sends codes to a simulated phone. */
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { Client } from '../../support/client.ts'
import { newPhone, type TestServer } from '../../support/server.ts'
import { telegramEntry } from '../../support/simulation.ts'

/** No message has this id. */
export const unknownMessage = '/v1/messages/req_00000000000000000000000000'

interface Account {
  name: string
  id: string
  /** With a new live key. @param at the server that is asked */
  caller: (at?: TestServer) => Promise<Client>
}

export interface Beside {
  newAccount: () => Promise<Account>
  /** An account that sends now and then, by a provider. @returns sends three codes, and waits until each is on its phone */
  newQuiet: (at?: TestServer) => Promise<() => Promise<void>>
  /** @param ask takes more of what is shared, as often as it is called, until the other account has sent. @returns whether that was too much */
  sendsBeside: (ask: () => Promise<boolean>, options?: { at?: TestServer; askers?: number }) => Promise<void>
  close: () => Promise<void>
}

/** Names the row of "What everybody shares" in `docs/security.md` that the test is of: `test/docs/security.test.ts` asks for one of each. */
export function row(_shared: string, title: string, drive: () => Promise<void>): void {
  it(title, drive)
}

/** Has the worker of a server do what is due, and a provider for it. */
export async function createBeside(server: TestServer): Promise<Beside> {
  const simulator = await createSimulator({ now: () => server.runtime.now() })
  server.app.worker.start()
  let accounts = 0

  const newAccount = async (): Promise<Account> => {
    const name = `account ${++accounts}`
    const { id } = await server.app.accounts.create(name)
    return { name, id, caller: async (at = server) => at.as(await server.key({ account: name, mode: 'live' })) }
  }
  const newQuiet: Beside['newQuiet'] = async (at = server) => {
    const { id, caller } = await newAccount()
    await server.app.connections.apply(id, [telegramEntry(simulator)])
    const quiet = await caller(at)
    // A key that a process has never seen could not be told from those of strangers.
    await quiet.get(unknownMessage)
    return async () => {
      for (let sent = 0; sent < 3; sent++) {
        const phone = newPhone()
        expect(await quiet.send(phone)).toMatch(/^req_/)
        const taken = () => simulator.phone(phone).messages.filter(({ taken }) => taken)
        await expect.poll(taken).toHaveLength(1)
      }
    }
  }

  return {
    newAccount,
    newQuiet,
    sendsBeside: async (ask, { at = server, askers = 8 } = {}) => {
      const send = await newQuiet(at)
      let isOver = false
      const reached = Promise.withResolvers<void>()
      const asking = Promise.all(
        Array.from({ length: askers }, async () => {
          while (!isOver) if (await ask()) reached.resolve()
        }),
      ).catch(reached.reject)
      await reached.promise
      try {
        await send()
      } finally {
        isOver = true
        await asking
      }
    },
    close: async () => {
      await server.app.worker.stop()
      await server.close()
      await simulator.close()
    },
  }
}

export const isTooMuch = async (asked: Promise<{ status: number }>) => [429, 503].includes((await asked).status)

/** A connection of another address than the quiet account's, which is open until the test ends. */
export function open(url: string, first: string | Buffer): Socket {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' }).on('error', () => {})
  socket.write(first)
  onTestFinished(() => void socket.destroy())
  return socket
}
