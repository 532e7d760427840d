/** What one account has done at its limits, while another one sends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entriesMax } from '../../src/domain/channels/connectionEntry.ts'
import { readPhoneList } from '../../src/domain/sending/phones/phoneList.ts'
import { acme } from '../delivery/channels/sms/acme.ts'
import type { Client } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { countTurns } from '../support/turns.ts'

let server: TestServer
let quiet: Client
let turns: ReturnType<typeof countTurns>
beforeAll(async () => {
  server = await startServer()
  quiet = await clientOf(server, 'quiet')
  turns = countTurns()
})
afterAll(async () => {
  await turns?.end()
  await server.close()
})

async function clientOf({ app, as, key }: TestServer, account: string): Promise<Client> {
  await app.accounts.create(account)
  return as(await key({ account, mode: 'live' }))
}

let accounts = 0
const newAccount = async () => (await server.app.accounts.create(`noisy ${++accounts}`)).id

/** Counts in which turn of the process each item is read. */
function watched<Item extends object>(list: readonly Item[], name: string & keyof Item) {
  const { read, perTurn } = countPerTurn()
  const items = list.map((item, index) => {
    const value = item[name]
    return Object.defineProperty({ ...item }, name, { enumerable: true, get: () => read(index, value) })
  })
  return { items, perTurn }
}

/** The same of texts. */
function watchedTexts(texts: readonly string[]) {
  const { read, perTurn } = countPerTurn()
  const items: string[] = []
  for (const [index, text] of texts.entries())
    Object.defineProperty(items, index, { enumerable: true, get: () => read(index, text) })
  return { items, perTurn }
}

function countPerTurn() {
  const turnOf = new Map<number, number>()
  const read = <Value>(index: number, value: Value): Value => {
    turnOf.set(index, turns.now())
    return value
  }
  const perTurn = () => [...Map.groupBy(turnOf.values(), (one) => one).values()].map(({ length }) => length)
  return { read, perTurn }
}

/** @returns whether the work was still under way when another account had its answer */
async function sendsBeside(work: () => Promise<unknown>): Promise<boolean> {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  await quiet.send(newPhone())
  const before = !isDone
  await working
  return before
}

/** As many provider files as a list may have, each with its own text. */
const provided = () =>
  Array.from({ length: entriesMax }, (_, n) => ({
    ...{ id: `sms-${n}`, kind: 'sms', provider: './acme.yaml', api_key: 'word', from: 'Acme' },
    provider_file: `${acme.replaceAll('api.acme.example', '10.0.0.5')}# ${Math.random()}\n`,
  }))

describe('beside an account that is at a limit, another one sends', () => {
  it('while a list of twenty provider files is applied: one is read in a turn', async () => {
    const accountId = await newAccount()
    const { items, perTurn } = watched(provided(), 'kind')
    expect(await sendsBeside(() => server.app.connections.apply(accountId, items))).toBe(true)
    expect(perTurn()).toEqual(Array(entriesMax).fill(1))
  })

  it('while five thousand templates are applied: a hundred are read in a turn', async () => {
    const accountId = await newAccount()
    const list = Array.from({ length: 5000 }, (_, n) => ({ slug: `t-${n}`, text: 'Hello {{name}}' }))
    const { items, perTurn } = watched(list, 'text')
    expect(await sendsBeside(() => server.app.templates.apply(accountId, items))).toBe(true)
    expect(Math.max(...perTurn())).toBeLessThanOrEqual(100)
    expect(await server.app.templates.list(accountId)).toHaveLength(5000)
  }, 120_000)
})

it('beside ten thousand opt-outs that are read and imported, another account sends', async () => {
  const accountId = await newAccount()
  const phones = Array.from({ length: 10_000 }, (_, n) => `+1415555${String(n).padStart(4, '0')}`)
  const before = turns.now()
  expect((await readPhoneList(phones.join('\n'), 'The list')).phones).toEqual(phones)
  expect(turns.now() - before).toBeGreaterThanOrEqual(39)
  const { items, perTurn } = watchedTexts(phones)
  expect(await sendsBeside(() => server.app.optOuts.import(accountId, { phones: items, category: 'all' }))).toBe(true)
  expect(Math.max(...perTurn())).toBeLessThanOrEqual(250)
}, 120_000)

it('more than five thousand templates are refused, unread', async () => {
  const accountId = await newAccount()
  const { items, perTurn } = watched(
    Array.from({ length: 5001 }, (_, n) => ({ slug: `t-${n}`, text: 'Hello' })),
    'text',
  )
  await expect(server.app.templates.apply(accountId, items)).rejects.toThrow(
    'there are 5001 templates, and 5000 is the most',
  )
  expect(perTurn()).toEqual([])
})
