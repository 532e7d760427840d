/** A provider that does not answer some of its requests. */
import { afterAll, expect, it } from 'vitest'
import { newPhone } from '../support/server.ts'
import { createSimulation } from '../support/simulation.ts'

const soon = { timeout: 7000, interval: 20 }
const simulation = createSimulation()
afterAll(async () => {
  await simulation.simulator.close()
  await simulation.server.app.worker.stop()
})

it('holds up no message that it answers, at the pace that a connection has if nobody says another', async () => {
  const { accountWith, server, simulator, whatsapp } = simulation
  const { live } = await accountWith(whatsapp({ per_second: undefined }))
  server.app.worker.start()
  // As many as come in the time for which one is waited for, if every tenth of 80 a second hangs, and more.
  const hanging = Array.from({ length: 100 }, newPhone)
  for (const phone of hanging) simulator.setFault(phone, 'hangs')
  await Promise.all(hanging.map((phone) => live.send(phone)))
  await expect.poll(() => simulator.state().refused, soon).toBe(100)

  const ids = await Promise.all(Array.from({ length: 20 }, () => live.send(newPhone())))
  const statuses = async () => new Set(await Promise.all(ids.map((id) => live.status(id))))
  await expect.poll(statuses, soon).toEqual(new Set(['delivered']))
  // All of it while none of the others had come to an end.
  expect(server.runtime.lines.filter((line) => line.includes('"unknown"'))).toEqual([])
})
