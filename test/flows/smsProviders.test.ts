/** Every provider that ships, from a connection to a code that is verified: over its own wire, on this machine. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { entryOf } from '../support/simulation.ts'

let server: TestServer
let simulator: Simulator
beforeAll(async () => {
  const port = await freePort()
  // Reports are signed over the address that the service says it has.
  server = await startServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } })
  simulator = await createSimulator({ now: () => server.runtime.now() })
})
afterAll(async () => {
  await server.close()
  await simulator.close()
})

it.each(shippedProviders().map((file) => [file.provider, file] as const))(
  'a code by %s is on the phone, verifies, and is reported as delivered',
  async (provider, file) => {
    const { id: accountId, name: account } = await server.app.accounts.create(`by ${provider}`)
    await server.app.connections.apply(accountId, [entryOf(file, simulator, { id: 'sms-eu' })])
    const [listed] = await server.app.connections.list(accountId)
    simulator.pointAt({ sms: { [provider]: server.directUrl + listed?.reportPath } })
    const live = server.as(await server.key({ mode: 'live', account }))
    const phone = newPhone()
    const id = await live.send(phone)
    await server.work()
    const [message] = simulator.phone(phone).messages
    expect(message?.text).toContain(message?.code)
    expect(await live.check(id, message?.code ?? '')).toMatchObject({ verified: true })
    await simulator.settled()
    // A report that was faster than our own commit is looked at again seconds later.
    await server.advance(5)
    await server.work()
    await expect.poll(() => live.status(id)).toBe('delivered')
    const [leg] = (await server.app.history(id)).legs
    if (file.answer.price ?? file.report?.price) expect(leg?.price?.amount).toMatch(/^0\.\d+$/)
    else expect(leg?.price).toBeUndefined()
  },
)
