/** Each fault of the simulated providers, by its number: what becomes of a code, and what the operator reads of it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type FaultRow, faultTable } from '../../src/simulator/faults.ts'
import type { Client } from '../support/client.ts'
import { createSimulation, type Simulation } from '../support/simulation.ts'

/** What becomes of a code whose route begins with a connection and goes on to the other one. */
interface Ending {
  /** In the end. */
  status: string
  error?: string
  /** In the timeline, in any order: a report may overtake the answer. */
  notes: string[]
  /** Others may be there too: a try fails again. */
  more?: boolean
}

const delivered = (by: string): Ending => ({ status: 'delivered', notes: [`taken by ${by}`] })
const both = (ending: (by: string) => Ending) => ({ 'wa-eu': ending('wa-eu'), tg: ending('tg') })
const wellByBoth = both(delivered)
/** Taken, but the answer does not tell. The report may come before or after that is noticed, and the next one is asked. */
const broken = both(() => ({ status: 'delivered', notes: [], more: true }))

const expired = 'expired'

const notOnWhatsapp = 'wa-eu: 131026 (not on WhatsApp)'
const notOnTelegram = 'tg: number not on Telegram'

/** By the fault, and by the connection that is asked first. */
const endings: Record<string, Record<'wa-eu' | 'tg', Ending>> = {
  delivered: wellByBoth,
  read: both((by) => ({ ...delivered(by), status: 'read' })),
  silent: both((by) => ({ ...delivered(by), status: expired })),
  'failed:131026': {
    'wa-eu': { status: 'delivered', notes: ['taken by wa-eu', notOnWhatsapp, 'taken by tg'] },
    tg: delivered('tg'),
  },
  'not-on-telegram': {
    'wa-eu': delivered('wa-eu'),
    tg: { status: 'delivered', notes: [notOnTelegram, 'taken by wa-eu'] },
  },
  nowhere: {
    'wa-eu': { status: 'failed', error: 'not_on_channel', notes: ['taken by wa-eu', notOnWhatsapp, notOnTelegram] },
    tg: { status: 'failed', error: 'not_on_channel', notes: [notOnTelegram, 'taken by wa-eu', notOnWhatsapp] },
  },
  'refused-once:131056': {
    'wa-eu': {
      status: 'delivered',
      notes: ['wa-eu: attempt 1: 131056 (too many messages to this person)', 'taken by wa-eu'],
    },
    tg: delivered('tg'),
  },
  'refused:131000': {
    'wa-eu': { status: 'delivered', notes: ['wa-eu: 131000 (something went wrong)', 'taken by tg'] },
    tg: delivered('tg'),
  },
  'refused-once:FLOOD_WAIT_30': {
    'wa-eu': delivered('wa-eu'),
    tg: { status: 'delivered', notes: ['tg: attempt 1: too many at a time', 'taken by wa-eu'] },
  },
  'error-in-200': {
    'wa-eu': {
      status: 'failed',
      error: 'rejected_by_channel',
      notes: [notOnWhatsapp, 'tg: refused: AN_ERROR_NOBODY_DOCUMENTED'],
    },
    tg: {
      status: 'failed',
      error: 'not_on_channel',
      notes: ['tg: refused: AN_ERROR_NOBODY_DOCUMENTED', notOnWhatsapp],
    },
  },
  'token-refused': {
    'wa-eu': {
      status: 'failed',
      error: 'channel_unavailable',
      notes: ['wa-eu: 190 (access token has expired)', 'tg: token refused'],
    },
    tg: {
      status: 'failed',
      error: 'channel_unavailable',
      notes: ['tg: token refused', 'wa-eu: 190 (access token has expired)'],
    },
  },
  hangs: lost('no answer in time', 'no answer in time'),
  resets: lost('connection broken', 'connection broken'),
  html: lost('status 500 with an unknown body', 'status 500'),
  'answer-lost': broken,
  slow: broken,
  'broken-json': broken,
  'early-report': wellByBoth,
  'reported-twice': wellByBoth,
  'read-only': both((by) => ({ ...delivered(by), status: 'read' })),
  'late-delivered': {
    'wa-eu': { status: 'delivered', notes: ['taken by wa-eu', notOnWhatsapp], more: true },
    tg: { status: 'delivered', notes: ['taken by tg', 'tg: not delivered in time'], more: true },
  },
  // Without an address for its reports, Telegram is asked besides.
  'wrong-signature': { 'wa-eu': { status: expired, notes: ['taken by wa-eu'] }, tg: delivered('tg') },
  'old-timestamp': wellByBoth,
  'no-recipient': wellByBoth,
  'thousand-reports': wellByBoth,
  expired: {
    'wa-eu': delivered('wa-eu'),
    tg: { status: 'delivered', notes: ['taken by tg', 'tg: not delivered in time', 'taken by wa-eu'] },
  },
  // Faults of SMS alone: both others know nothing of them.
  'refused:not_on_channel': wellByBoth,
  'refused:opted_out': wellByBoth,
  'refused:country_blocked': wellByBoth,
  'refused:rejected_by_channel': wellByBoth,
  'failed:unreachable': wellByBoth,
  'failed:not_on_channel': wellByBoth,
  'refused-once:retry': wellByBoth,
  'wrong-token': wellByBoth,
}

/** Not taken by either, as often as they are asked. */
function lost(byWhatsapp: string, byTelegram: string): Record<'wa-eu' | 'tg', Ending> {
  return {
    'wa-eu': { status: expired, notes: [`wa-eu: ${byWhatsapp}`, `tg: attempt 1: ${byTelegram}`], more: true },
    tg: { status: expired, notes: [`tg: ${byTelegram}`, `wa-eu: attempt 1: ${byWhatsapp}`], more: true },
  }
}

const rows = faultTable.filter(({ prefix }) => prefix !== undefined)
const isLate = ({ name }: FaultRow) => name === 'hangs' || name === 'slow'

describe('with all the time that there is', () => {
  proveAll(
    createSimulation(),
    rows.filter((row) => !isLate(row)),
  )
})

describe('with less time than some answers take', () => {
  const hasty = createSimulation({ simulator: { slowMs: 1200 }, server: { overrides: { answerMs: 800 } } })
  proveAll(hasty, rows.filter(isLate))
})

function proveAll(simulation: Simulation, faults: FaultRow[]): void {
  describe.each(['wa-eu', 'tg'] as const)('a code that is sent by %s first', (first) => {
    const sent = new Map<string, { live: Client; id: string }>()
    const phoneOf = ({ prefix }: FaultRow) => `${prefix}${first === 'tg' ? 1 : 0}`

    beforeAll(async () => {
      const { accountWith, run, server, telegram, whatsapp } = simulation
      const send = async (list: FaultRow[]) => {
        const entries = [whatsapp(), telegram()]
        const { live } = await accountWith(...(first === 'wa-eu' ? entries : entries.reverse()))
        for (const row of list) sent.set(row.name, { live, id: await live.send(phoneOf(row)) })
        await run()
      }
      await send(faults.filter(({ name }) => name !== 'token-refused'))
      // Beyond every wait that a provider asks for.
      for (const seconds of [7, 30]) {
        await server.advance(seconds)
        await run()
      }
      // In an account of its own: its connections rest then.
      await send(faults.filter(({ name }) => name === 'token-refused'))
      await server.advance(600)
      await run()
    }, 120_000)

    it.each(faults)('$prefix…: $name', async (row) => {
      const { notes, more = false, status, error } = endings[row.name]![first]
      const { live, id } = sent.get(row.name)!
      const { data } = await live.get(`/v1/messages/${id}`)
      expect(data).toMatchObject({ status, ...(error !== undefined && { error: { code: error } }) })
      const found = await simulation.notes(id)
      if (more) expect(found).toEqual(expect.arrayContaining(notes))
      else expect(found.toSorted()).toEqual(notes.toSorted())
      // Whatever happens, a phone gets one code for one request.
      const codes = simulation.simulator.phone(phoneOf(row)).messages.flatMap(({ code }) => code ?? [])
      expect(new Set(codes).size).toBe(1)
    })
  })
}
