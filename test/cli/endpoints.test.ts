/** What an operator does with the endpoints of an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventTypes } from '../../src/contract/event.ts'
import { jsonOf, moment, type Result, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { deliveryStates, giveDeliveries } from '../support/endpoint.ts'

const settings = { WATCHWORD_SECRET: 'a secret of the endpoints test that is long enough' }
const url = 'https://203.0.114.7/hooks'
const id = expect.stringMatching(/^ep_[0-9A-HJKMNP-TV-Z]{26}$/)
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

function cli(...args: string[]): Promise<Result> {
  return cliWith({}, ...args)
}

function cliWith(more: Record<string, string>, ...args: string[]): Promise<Result> {
  return run({ DATABASE_URL: database.settings.url, ...settings, ...more }, ['endpoints', ...args])
}

interface Added {
  id: string
  secret: string
}

async function add(...args: string[]): Promise<Added> {
  return jsonOf<Added>(await cli('add', url, ...args, '--json'))
}

async function listed(id: string): Promise<Record<string, unknown>> {
  const list = jsonOf<Record<string, unknown>[]>(await cli('list', '--json'))
  return list.find((row) => row.id === id)!
}

/** Minutes before now: commands go by the time of the machine. */
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

const keyOf = (id: string) => ({ accountId: 'acct_default', id, mode: 'live' as const })

describe('an endpoint', () => {
  it('is added for live events of every type unless told otherwise, with a secret that is shown once', async () => {
    await run({ DATABASE_URL: database.settings.url }, ['accounts', 'create', 'acme'])
    const [plain, narrow] = await Promise.all([
      cli('add', url, '--json'),
      cli('add', url, '--mode', 'test', '--account', 'ACME', '--type', 'message.read', '--type', 'message.sent'),
    ])
    const added = jsonOf(plain)
    expect(added).toEqual({ id, url, mode: 'live', types: null, secret: expect.stringMatching(secretForm) })
    const [shown, ...rest] = narrow.stdout.split('\n')
    expect(shown).toMatch(secretForm)
    expect(rest.join('\n')).toMatch(/^\nIt is not shown again\. It signs what is sent to ep_\w{26}\.\n$/)

    const [list, table] = await Promise.all([cli('list', '--json'), cli('list')])
    const common = { id, url, state: 'enabled', reason: null, disabled_at: null, failures: 0, failing_since: null }
    expect(jsonOf(list)).toEqual([
      { ...common, account: 'acme', mode: 'test', types: ['message.sent', 'message.read'], created_at: moment },
      { ...common, id: added.id, account: 'default', mode: 'live', types: null, created_at: moment },
    ])
    expect(table.stdout).toMatch(/^ep_\w+ +default +live +https:\/\/203\.0\.114\.7\/hooks +all +enabled$/m)
    expect(table.stdout).toMatch(/^ep_\w+ +acme +test +\S+ +message\.sent message\.read +enabled$/m)

    const rows = await database.sql`select e::text as row, encode(sealed, 'escape') as sealed from endpoint e`
    const told = JSON.stringify(rows) + list.stdout + table.stdout
    for (const secret of [shown!, String(added.secret)]) {
      expect(told).not.toContain(secret.slice(6))
      expect(told).not.toContain(Buffer.from(secret.slice(6)).toString('hex'))
    }
  })

  it('is refused where it may not be, and says no more than that', async () => {
    const refused = async (given: string, more = {}) => refusalOf(await cliWith(more, 'add', given))
    const notAllowed = 'The endpoint was not added: this address is not allowed.'
    const [inside, meta, plain, local] = await Promise.all([
      refused('https://10.1.2.3/'),
      refused('https://169.254.169.254/', { EVENTS_ALLOW_NETWORKS: '169.254.0.0/16' }),
      refused('http://203.0.114.7/'),
      refused('https://127.0.0.1/', { NODE_ENV: 'production' }),
    ])
    expect([inside, meta, local]).toEqual([notAllowed, notAllowed, notAllowed])
    expect(plain).toBe('The endpoint was not added: the URL must begin with https://.')
  })

  it('may be where the operator has opened a network, by http too, and on this machine', async () => {
    const open = { EVENTS_ALLOW_NETWORKS: '10.1.0.0/16', EVENTS_ALLOW_HTTP: 'on' }
    const [inside, local] = await Promise.all([
      cliWith(open, 'add', 'http://10.1.2.3/', '--json'),
      cli('add', 'http://127.0.0.1:9800/', '--json'),
    ])
    expect(jsonOf(inside)).toMatchObject({ url: 'http://10.1.2.3/' })
    expect(jsonOf(local)).toMatchObject({ url: 'http://127.0.0.1:9800/' })
  })

  it('is refused for types that there are not, which are named with those that there are', async () => {
    const said = refusalOf(await cli('add', url, '--type', 'message.read', '--type', 'message.opened'))
    expect(said).toBe(`"message.opened" is no type of event\nthere is ${eventTypes.join(', ')}`)
  })

  it('gets a new secret, beside which the old one signs for a day', async () => {
    const { id, secret } = await add()
    const [json, text] = [jsonOf(await cli('rotate', id, '--json')), await cli('rotate', id)]
    expect(json).toEqual({ id, secret: expect.stringMatching(secretForm), old_secret_ends_at: moment })
    const left = Date.parse(String(json.old_secret_ends_at)) - Date.now()
    expect(Math.abs(left - 24 * 3600 * 1000)).toBeLessThan(60_000)
    expect(text.stdout).toMatch(/^whsec_\S+\n\nIt is not shown again\. The old one signs too until /)
    expect(new Set([secret, json.secret, text.stdout.split('\n')[0]]).size).toBe(3)
  })

  it('is disabled and enabled, which tells what it missed', async () => {
    const { id } = await add()
    await giveDeliveries(
      ...([database.sql, keyOf(id)] as const),
      ...([{ event: 'evt_due', state: 'due', at: ago(90) }] as const),
    )
    expect(jsonOf(await cli('disable', id, '--json'))).toEqual({ id, state: 'disabled' })
    const [row, table] = await Promise.all([listed(id), cli('list')])
    expect(row).toMatchObject({ state: 'disabled', reason: 'manual', disabled_at: moment })
    expect(table.stdout).toMatch(new RegExp(`^${id} .* disabled since \\S+Z: manual$`, 'm'))
    expect(refusalOf(await cli('test', id))).toBe(`The endpoint ${id} is disabled: enable it first.`)
    const enabled = await cli('enable', id)
    expect(enabled.stdout).toBe(`Enabled ${id}. It missed 1: npm run cli -- endpoints replay ${id} --since 2h\n`)
    expect(await listed(id)).toMatchObject({ state: 'enabled', reason: null, disabled_at: null })
  })

  it('is removed once', async () => {
    const { id } = await add()
    expect(jsonOf(await cli('remove', id, '--json'))).toEqual({ id, removed: true })
    const asked = await Promise.all([cli('remove', id), cli('deliveries', id)])
    expect(asked.map(refusalOf)).toEqual([`There is no endpoint ${id}.`, `There is no endpoint ${id}.`])
  })
})

describe('what an endpoint was told', () => {
  it('is shown, attempt by attempt, with what comes next', async () => {
    const { id } = await add()
    const key = keyOf(id)
    const next = ago(-60)
    const [first, second] = [ago(50), ago(45)]
    await giveDeliveries(
      ...([database.sql, key] as const),
      { event: 'evt_retried', type: 'message.read', state: 'due', at: ago(50), dueAt: next },
      { event: 'evt_new', state: 'held', at: ago(5) },
    )
    const attempt = { account_id: key.accountId, event_id: 'evt_retried', endpoint_id: id }
    await database.sql`insert into event_attempt ${database.sql([
      { ...attempt, at: first, status: null, error: 'connection \u001b[31mrefused', duration_ms: 3, answer: null },
      { ...attempt, at: second, status: 500, error: null, duration_ms: 41, answer: 'Sorry' },
    ])}`
    const [json, table, last] = await Promise.all([
      cli('deliveries', id, '--json'),
      cli('deliveries', id),
      cli('deliveries', id, '--last', '1', '--json'),
    ])
    const held = { event: 'evt_new', type: 'message.sent', at: moment, state: 'held', next_at: null, attempts: [] }
    expect(jsonOf(json)).toEqual([
      held,
      {
        ...{ event: 'evt_retried', type: 'message.read', at: moment, state: 'due', next_at: next.toISOString() },
        attempts: [
          ...[
            {
              at: first.toISOString(),
              status: null,
              error: 'connection \u001b[31mrefused',
              duration_ms: 3,
              answer: null,
            },
          ],
          ...[{ at: second.toISOString(), status: 500, error: null, duration_ms: 41, answer: 'Sorry' }],
        ],
      },
    ])
    expect(jsonOf(last)).toEqual([held])
    const lines = table.stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['at', 'event', 'type', 'result', 'ms', 'next'],
      ['-', 'evt_new', 'message.sent', '-', '-', 'held'],
      [second.toISOString(), 'evt_retried', 'message.read', '500', '41', next.toISOString()],
      [first.toISOString(), 'evt_retried', 'message.read', 'connection \\u001b[31mrefused', '3'],
    ])
  })

  it('is told again: all since a time, or one', async () => {
    const { id } = await add()
    const list = [
      { event: 'evt_1', state: 'failed', at: ago(70) },
      { event: 'evt_2', state: 'delivered', at: ago(50) },
      { event: 'evt_3', state: 'held', at: ago(10) },
    ] as const
    await giveDeliveries(database.sql, keyOf(id), ...list)
    expect(jsonOf(await cli('replay', id, '--since', '1h', '--json'))).toEqual({ id, replayed: 2 })
    expect((await cli('replay', id, '--event', 'evt_1')).stdout).toBe('Events sent again: 1.\n')
    const states = await deliveryStates(database.sql, keyOf(id))
    expect(states.map(([event, state]) => [event, state])).toEqual(list.map(({ event }) => [event, 'due']))
  })

  it('is not told again without saying which', async () => {
    const wrong = [[], ['--since', '1h', '--event', 'evt_1'], ['--since', 'yesterday'], ['--since', '999999d']]
    const refused = await Promise.all(wrong.map((options) => cli('replay', 'ep_1', ...options)))
    expect(refused.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(wrong.map(() => [2, '']))
  })

  it('can be tried with a sample of each type', async () => {
    const { id } = await add('--type', 'verification.failed', '--type', 'message.failed')
    const { sent } = jsonOf<{ sent: { event: string; type: string }[] }>(await cli('test', id, '--json'))
    expect(sent.map(({ type }) => type)).toEqual(['verification.failed', 'message.failed'])
    const states = await deliveryStates(database.sql, keyOf(id))
    // Ids of one moment have no order.
    expect(states.map(([event, state]) => [event, state])).toEqual(sent.map(({ event }) => [event, 'due']).toSorted())
  })
})
