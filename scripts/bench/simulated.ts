/** The simulator in a process of its own. Its first message is its URL; it takes orders as messages, and answers each. */
import { createSimulator } from '../../src/simulator/simulator.ts'
import { type Opened, type Order, smsProvider } from './provider.ts'

/** Milliseconds in which reports are gathered to go in one body, as Meta does it. */
const reportWindowMs = 50
/** As a provider of many customers does: the service is to be the one that others wait for. */
const reportsAtOnceMax = 128
/** Hand-overs that it remembers: it is not asked for them. */
const keepMax = 1000

const simulator = await createSimulator({ reportWindowMs, reportsAtOnceMax, keepMax })
process.on('message', ({ webhook, slowness }: Order) => {
  if (webhook !== undefined) simulator.pointAt({ whatsapp: webhook })
  if (slowness !== undefined) simulator.slow(slowness)
  process.send?.({ done: true })
})
process.once('disconnect', () => simulator.close())
const opened: Opened = { url: simulator.url, sms: simulator.sms(smsProvider) }
process.send?.(opened)
