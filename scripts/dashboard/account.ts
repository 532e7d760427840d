/** An account that has been in use for a while: what it sends through, what it sends, who is told, and a day of traffic. */

import type { Admin } from '../../src/app/admin.ts'
import { scopes } from '../../src/contract/document.ts'
import { theService } from '../../src/domain/access/actor.ts'
import { createCounting } from '../../src/domain/insight/counting.ts'
import type { Commit } from '../../src/store/engine/commit.ts'
import { write } from '../../src/store/engine/session.ts'
import { connectionIds, type Day, fillDeliveries, fillMessages, type Run } from './day.ts'

export interface Simulated extends Omit<Day, 'until'> {
  admin: Admin
  commit: Commit
  /** Runs statements in one session; in a transaction of `commit` when left out. */
  inSession?: (work: (run: Run) => Promise<void>) => Promise<void>
  now: () => Date
  /** Of the messages, so many latest are told to endpoints; 400 when left out. */
  events?: number
}

/** Makes it, and counts its figures. The account has no messages before. */
export async function simulateAccount({ admin, commit, now, events = 400, ...given }: Simulated): Promise<void> {
  const { inSession = transactionOf(commit), ...day } = given
  const { accountId } = day
  const until = now()
  await admin.connections.apply(theService, accountId, connections)
  await admin.templates.apply(theService, accountId, templates)
  for (const key of keys) await admin.apiKeys.create(theService, { accountId, scopes, expiresAt: null, ...key })
  const added: string[] = []
  for (const { types } of endpoints) {
    // No name is looked up: the addresses are put in afterwards.
    const input = { accountId, mode: 'live', url: 'http://127.0.0.1:9/', types } as const
    added.push((await admin.endpoints.add(theService, input)).endpoint.id)
  }
  await inSession(async (run) => {
    for (const [index, id] of added.entries()) {
      await run(
        `update endpoint set url = '${endpoints[index]!.url}' where account_id = '${accountId}' and id = '${id}'`,
      )
    }
    await fillMessages(run, { ...day, until })
    await fillMessages(run, { ...day, mode: 'test', messages: Math.ceil(day.messages / 50), until })
    await markStates(run, accountId, until)
    await fillDeliveries(run, { ...day, until }, events)
    // Who has counted already does not look so far back again.
    await run('delete from figure')
    await run('delete from counting')
  })
  await countAll(commit, until)
}

function transactionOf(commit: Commit): NonNullable<Simulated['inSession']> {
  return (work) => commit.transaction((tx) => work((statement) => tx.run(write(statement, { isRare: true }), [])))
}

/** All figures of what is there, at once. */
export async function countAll(commit: Commit, until: Date): Promise<void> {
  const runtime = { now: () => until, elapsedMs: () => 0 }
  const count = createCounting({ commit, runtime, retentionDays: 90 })
  while ((await count()).isBehind);
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const connections = [
  { id: connectionIds.telegram, kind: 'telegram', access_token: 'AAHk_a_token_of_the_gateway', failover_seconds: 20 },
  {
    id: connectionIds.whatsapp,
    kind: 'whatsapp',
    failover_seconds: 30,
    phone_number_id: '106540352242922',
    business_account_id: '102290129340398',
    access_token: 'EAAJB_a_token_of_the_graph',
    app_secret: 'an-app-secret',
    verify_token: 'a-verify-token',
    code_template: { name: 'login_code', language: 'en' },
  },
  { id: connectionIds.sms, kind: 'http', url: 'https://10.0.0.5/watchword', secret },
]
const whatsapp = (name: string, parameters: string[]) => ({ whatsapp: { name, language: 'en', parameters } })
const templates = [
  {
    slug: 'order_shipped',
    text: 'Hi {{name}}, your order {{order}} is on its way.',
    channels: whatsapp('order_shipped_v2', ['name', 'order']),
  },
  {
    slug: 'appointment',
    text: 'See you on {{day}} at {{time}}, {{name}}.',
    channels: whatsapp('appointment', ['day', 'time', 'name']),
  },
  { slug: 'payment_failed', text: 'Your payment of {{amount}} did not go through.' },
  { slug: 'welcome', text: 'Welcome, {{name}}!', channels: whatsapp('welcome', ['name']) },
]
const keys = [
  { name: 'shop', mode: 'live' },
  { name: 'login service', mode: 'live' },
  { name: 'staging', mode: 'test' },
] as const
const endpoints = [
  { url: 'https://hooks.shop.example.com/watchword', types: null },
  { url: 'https://warehouse.example.com/events', types: ['message.failed'] },
  { url: 'https://old.example.net/in', types: null },
]

/** A connection rests, an endpoint fails and another one is disabled: what a page has to tell of. */
async function markStates(run: Run, accountId: string, until: Date): Promise<void> {
  const [account, end] = [`'${accountId}'`, `'${until.toISOString()}'::timestamptz`]
  await run(`
    update connection set rests_until = ${end} + interval '10 minutes', rest_reason = 'the provider refused: not enough balance'
    where account_id = ${account} and id = '${connectionIds.telegram}'`)
  await run(`
    update endpoint set failing_since = ${end} - interval '42 minutes', failures = 7
    where account_id = ${account} and url like '%warehouse%'`)
  await run(`
    update endpoint set disabled_at = ${end} - interval '3 hours', disabled_reason = 'gone'
    where account_id = ${account} and url like '%old%'`)
  await run(`
    update api_key set last_used_at = ${end} - interval '2 seconds', last_used_from = '203.0.113.7', used_that_day = 3204
    where account_id = ${account} and name = 'shop'`)
}
