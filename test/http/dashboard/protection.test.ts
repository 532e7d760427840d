/** Sending › Protection: does somebody make numbers up, and what is done about it? */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn } from '../../support/visitor.ts'

let server: TestServer
let accountId: string
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  await server.app.accounts.create('pumped')
  accountId = (await server.app.accounts.require('pumped')).id
  await countCodes('DE', { now: 8, usual: 80 })
  await countCodes('FR', { now: 79, usual: 80 })
})
afterAll(() => server.close())

/** A hundred codes on each day, and in the last minutes: so many of them came back. */
async function countCodes(country: string, verified: { now: number; usual: number }): Promise<void> {
  const now = server.runtime.now().getTime()
  const minute = (ago: number) => new Date(Math.floor(now / 60_000) * 60_000 - ago * 60_000).toISOString()
  const day = (ago: number) => new Date((Math.floor(now / 86_400_000) - ago) * 86_400_000).toISOString()
  const hour = new Date(Math.floor(now / 3_600_000) * 3_600_000).toISOString()
  const days = Array.from({ length: 14 }, (_, index) => ['day', day(index + 1), verified.usual] as const)
  for (const [grain, at, count] of [
    ...days,
    ['minute', minute(5), verified.now],
    ['hour', hour, verified.now],
  ] as const) {
    await server.query(sql`insert into figure
        (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed, expired, latencies)
      values (${accountId}, 'live', ${grain}, ${at}, 'verification', 'sms', ${country}, 100, 100, 100, ${count}, 0, 0,
        array_fill(0, array[16]))`)
  }
}

describe('the page of the protection', () => {
  it('shows by country and channel which codes come back, beside what is usual, and marks what fell', async () => {
    const viewer = await signIn(server, 'viewer', { account: 'pumped' })
    const { status, text } = await viewer.get('/protection')
    expect(status).toBe(200)
    const rows = [...text.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) =>
      row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '),
    )
    expect(rows).toContain(' Germany 100 8.0 % fell 80.0 % ')
    expect(rows).toContain(' France 100 79.0 % 80.0 % ')
    expect(rows).toContain(' sms 200 43.5 % 80.0 % ')
    // What fell comes first.
    expect(text.indexOf('Germany')).toBeLessThan(text.indexOf('France'))
  })

  it('shows each rule as a sentence, and what its words mean', async () => {
    const viewer = await signIn(server, 'viewer', { account: 'pumped' })
    const { text } = await viewer.get('/protection')
    expect(text).toContain('<code>prefix-hour</code>')
    expect(text.replaceAll(/<[^>]+>/g, '')).toContain(
      'when more than 30 in 1 hour were not verified, and fewer than 20 % were verified.',
    )
    expect(text).toContain('<summary>What these words mean</summary>')
  })

  it('has nothing of another account', async () => {
    const stranger = await signIn(server, 'owner')
    const { text } = await stranger.get('/protection')
    expect(text).not.toContain('Germany')
    expect(text).toContain('No code was sent with a live key in the last 24 hours.')
  })
})

it('the overview names a country whose codes fell, and leads to the page of the protection', async () => {
  const viewer = await signIn(server, 'viewer', { account: 'pumped' })
  const { text } = await viewer.get('/')
  expect(text).toContain(
    'few codes come back</span><a href="/protection">Germany: 8 of 100 codes came back, sent in 10 minutes; 80.0 % is usual.',
  )
  expect(text).not.toContain('France: ')
})
