/** Developers › Webhooks: endpoints from their adding to their end, and what they were told. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventTypes } from '../../../src/contract/event.ts'
import { startEventReceiver } from '../../support/eventReceiver.ts'
import { type Listening, type ListenOptions, listenTo } from '../../support/listening.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

let server: TestServer
let developer: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  developer = await signIn(server, 'developer')
})
const opened: { close: () => Promise<void> }[] = []
afterAll(async () => {
  await server.close()
  for (const { close } of opened) await close()
})

const secretIn = (text: string) => /whsec_[\w+/]+=*/.exec(text.replaceAll('&#61;', '='))?.[0] ?? ''
const idIn = (text: string) => /ep_[0-9A-Z]{26}/.exec(text)?.[0] ?? ''

/** An endpoint for live events, which nothing here makes, with a receiver behind it, and the path of its page. */
async function listening(options: ListenOptions = {}): Promise<Listening & { page: string }> {
  const found = await listenTo(server, { mode: 'live', ...options })
  opened.push(found)
  return { ...found, page: `/webhooks/${found.id}` }
}

/** The endpoint's events, the latest first. */
async function eventsOf({ id }: Pick<Listening, 'id'>): Promise<string[]> {
  const found = await server.app.endpoints.deliveries({ accountId: 'acct_default', id }, 100)
  return found.map(({ eventId }) => eventId)
}

/** Past events of an endpoint, a minute apart, the first a minute ago; the 120th is none of the others. */
async function givePast(endpoint: Pick<Listening, 'id'>, state: string, count: number): Promise<void> {
  const [key, now] = [`${endpoint.id}_${state}`, server.runtime.now().toISOString()]
  await server.query(sql`insert into event (account_id, id, mode, type, body, at)
    select 'acct_default', ${key}::text || '_' || n, 'test', 'message.sent', '{}', ${now}::timestamptz - make_interval(mins => n)
    from generate_series(1, ${count}::int) n`)
  await server.query(sql`insert into event_delivery (account_id, event_id, endpoint_id, state, due_at, at)
    select 'acct_default', id, ${endpoint.id}, ${state}, case when ${state} = 'due' then at + interval '5 hours' end, at
    from event where account_id = 'acct_default' and id like ${`${key}%`}`)
}

describe('an endpoint that is added on its page', () => {
  it('is told what happens, signed with the secret that was shown', async () => {
    const receiver = await startEventReceiver()
    opened.push(receiver)
    const { status, text } = await developer.post('/webhooks', { url: receiver.url, mode: 'test', events: 'all' })
    expect(status).toBe(200)
    await server.advance(5)
    await server.test.send('+14155550110')
    await server.work()
    expect(receiver.events().map(({ type }) => type)).toContain('message.delivered')
    expect(receiver.faults(secretIn(text))).toEqual([])
    expect((await developer.get('/webhooks')).text).toContain(idIn(text))
  })

  it('is added once, when its form comes twice', async () => {
    const fields = { url: 'http://127.0.0.1:9/twice', mode: 'test', events: 'all' }
    const answers = await Promise.all([developer.post('/webhooks', fields), developer.post('/webhooks', fields)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const there = (await server.app.endpoints.list()).filter(({ url }) => url === fields.url)
    expect(there).toHaveLength(1)
    const { text } = await developer.post('/webhooks', fields)
    expect(text).toContain(`There is such an endpoint already, ${there[0]?.id}. Nothing was added.`)
    expect((await developer.post('/webhooks', { ...fields, mode: 'live' })).status).toBe(200)
  })

  it('is told the types alone that were ticked', async () => {
    const fields = {
      url: 'http://127.0.0.1:9/some',
      mode: 'test',
      events: 'some',
      type: ['message.read', 'message.failed'],
    }
    const { text } = await developer.post('/webhooks', fields)
    expect((await server.app.endpoints.require(idIn(text))).types).toEqual(['message.read', 'message.failed'])
    expect((await developer.post('/webhooks', { ...fields, type: [] })).text).toContain('Choose the types of events')
  })

  it('is refused with what was entered, when it may not be there', async () => {
    const { status, text } = await developer.post('/webhooks', {
      url: 'https://10.0.0.7/in',
      mode: 'live',
      events: 'all',
    })
    expect(status).toBe(400)
    expect(text).toContain('The endpoint was not added: this address is not allowed.')
    expect(text).toContain('value="https://10.0.0.7/in"')
    expect(text).toContain('value="live" checked')
  })

  it('is the first: the empty page says how to begin', async () => {
    await server.app.accounts.create('empty')
    const newcomer = await signIn(server, 'developer', { account: 'empty' })
    const { text } = await newcomer.get('/webhooks')
    expect(text).toContain('href="/webhooks/new"')
    expect(text).toContain('npm run cli -- endpoints listen')
    expect(text).toContain('<a href="/guide/events">')
  })
})

describe('the secret', () => {
  it('is on no page until it is revealed', async () => {
    const { page, secret } = await listening()
    for (const path of [page, `${page}/rotate`, `${page}/test`]) {
      expect((await developer.get(path)).text).not.toContain(secret)
    }
    expect(secretIn((await developer.post(`${page}/secret`)).text)).toBe(secret)
  })

  it('is rotated: both sign for 24 hours, and then the new one alone', async () => {
    const { page, secret: old } = await listening()
    const { text } = await developer.post(`${page}/rotate`)
    const secret = secretIn(text)
    expect(secret).not.toBe(old)
    const end = new Date(server.runtime.now().getTime() + 24 * 3600_000).toISOString()
    expect(text).toContain(`datetime="${end}"`)
    const { text: revealed } = await developer.post(`${page}/secret`)
    expect(revealed).toContain(old)
    expect(revealed).toContain(secret)
    await server.advance(24 * 3600 + 1)
    developer = await signIn(server, 'developer')
    expect((await developer.post(`${page}/secret`)).text).not.toContain(old)
  })

  it('is shown to who has proved himself in the last ten minutes', async () => {
    const { page } = await listening()
    await server.advance(601)
    const asked = [developer.post(`${page}/secret`), developer.post(`${page}/rotate`), developer.post(`${page}/remove`)]
    const places = (await Promise.all(asked)).map(({ headers }) => headers.get('location'))
    expect(places).toEqual([page, `${page}/rotate`, page].map((path) => `/proof?next=${encodeURIComponent(path)}`))
    developer = await signIn(server, 'developer')
  })
})

describe('a test', () => {
  it('sends a sample of each type, and the page shows what came of it', async () => {
    const endpoint = await listening()
    const { text } = await developer.submit(`${endpoint.page}/test`, { sent: '1', type: eventTypes })
    expect(text).toContain(`${eventTypes.length} samples are on their way.`)
    expect(text).toContain('data-live="3"')
    await server.work()
    expect(endpoint.missing()).toEqual([])
    const after = (await developer.get(endpoint.page)).text
    expect(after.match(/status delivered">delivered</g)).toHaveLength(eventTypes.length)
    expect(after).not.toContain('data-live')
  })

  it('sends those alone that were ticked', async () => {
    const endpoint = await listening()
    await developer.post(`${endpoint.page}/test`, { sent: '1', type: 'message.read' })
    await server.work()
    expect(endpoint.types()).toEqual(['message.read'])
    const none = await developer.post(`${endpoint.page}/test`, { sent: '1' })
    expect(none.status).toBe(400)
    expect(none.text).toContain('Choose an event type')
  })
})

describe('a delivery', () => {
  it('shows the request as it was sent, and the answer of each attempt', async () => {
    const endpoint = await listening({ behaviour: { status: 503, body: 'Sorry, we are closed' } })
    await developer.post(`${endpoint.page}/test`, { type: 'message.failed' })
    await server.work()
    endpoint.behave({ status: 204 })
    await server.advance(10)
    await server.work()
    const [eventId] = await eventsOf(endpoint)
    const { text } = await developer.get(`${endpoint.page}/${eventId}`)
    const [first] = endpoint.received
    expect(text).toContain(first!.body.replaceAll('"', '&#34;').replaceAll("'", '&#39;'))
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']) {
      expect(first!.headers).toHaveProperty(name)
      expect(text.toLowerCase()).toContain(`<code>${name}</code>`)
    }
    expect(text).toContain('Sorry, we are closed')
    expect([text.includes('>503<'), text.includes('>204<')]).toEqual([true, true])
    expect(text.indexOf('>503<')).toBeLessThan(text.indexOf('>204<'))
  })

  it('that was sent again very often shows the last hundred attempts, and says so', async () => {
    const endpoint = await listening()
    await givePast(endpoint, 'failed', 1)
    const [eventId] = await eventsOf(endpoint)
    const tryTimes = (from: number, count: number) =>
      server.query(sql`insert into event_attempt (account_id, event_id, endpoint_id, at, status, duration_ms, answer)
        select 'acct_default', ${eventId}::text, ${endpoint.id}::text, now() + make_interval(secs => n), 500, 5, 'answer ' || n || '.'
        from generate_series(${from}::int, ${from + count - 1}::int) n`)
    const shown = async () => (await developer.get(`${endpoint.page}/${eventId}`)).text
    await tryTimes(1, 99)
    expect(await shown()).toContain('answer 1.')
    expect(await shown()).not.toContain('Of very many')
    await tryTimes(100, 2000)
    const text = await shown()
    expect(text).toContain('Of very many, the last 100.')
    expect([text.includes('answer 1999.'), text.includes('answer 2000.'), text.includes('answer 2099.')]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('is live while it is due, and says when it is tried next', async () => {
    const endpoint = await listening({ behaviour: 'gone' })
    await developer.post(`${endpoint.page}/test`, { type: 'message.failed' })
    await server.work()
    const [eventId] = await eventsOf(endpoint)
    expect((await developer.get(`${endpoint.page}/${eventId}`)).text).toMatch(/data-live="3".*Tried again/s)
    endpoint.behave({ status: 204 })
    await server.advance(10)
    await server.work()
    expect((await developer.get(`${endpoint.page}/${eventId}`)).text).not.toContain('data-live')
  })

  it('leads to the message that it tells of', async () => {
    const endpoint = await listening({ mode: 'test' })
    const id = await server.test.send('+14155550110')
    await server.work()
    const [eventId] = await eventsOf(endpoint)
    expect((await developer.get(`${endpoint.page}/${eventId}`)).text).toContain(`href="/messages/${id}"`)
  })

  it('is sent again when somebody wants it', async () => {
    const endpoint = await listening()
    await developer.post(`${endpoint.page}/test`, { type: 'message.failed' })
    await server.work()
    const [eventId] = await eventsOf(endpoint)
    expect((await developer.submit(`${endpoint.page}/${eventId}/replay`)).text).toContain('It is sent again.')
    await server.work()
    expect(endpoint.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId])
  })
})

describe('the deliveries', () => {
  it('are paged to the end, each of them once, whatever is asked for', async () => {
    const endpoint = await listening()
    const counts = { due: 30, held: 51, failed: 25, delivered: 26 }
    for (const [state, count] of Object.entries(counts)) await givePast(endpoint, state, count)
    for (const [filter, count] of [['', 132], ...Object.entries(counts)] as [string, number][]) {
      const seen: string[] = []
      for (let path: string | undefined = `${endpoint.page}${filter && `?state=${filter}`}`; path; ) {
        const { text } = await developer.get(path)
        seen.push(...[...text.matchAll(/<a href="\/webhooks\/ep_\w+\/(ep_\w+)"/g)].map(([, id = '']) => id))
        path = /href="([^"]*)">(?:Older|Later)/.exec(text)?.[1]?.replaceAll('&#38;', '&')
      }
      expect(seen).toHaveLength(count)
      expect(new Set(seen).size).toBe(count)
      expect(seen.every((id) => id.includes(filter))).toBe(true)
    }
  })

  it('of what is due begin with what is tried next, all others with the latest', async () => {
    const endpoint = await listening()
    await givePast(endpoint, 'due', 3)
    await givePast(endpoint, 'failed', 3)
    const order = async (state: string) => {
      const { text } = await developer.get(`${endpoint.page}?state=${state}`)
      return [...text.matchAll(/<a href="\/webhooks\/ep_\w+\/ep_\w+_(\d)"/g)].map(([, n]) => n)
    }
    expect([await order('due'), await order('failed')]).toEqual([
      ['3', '2', '1'],
      ['1', '2', '3'],
    ])
  })

  it('begin anew for a place that is none', async () => {
    const endpoint = await listening()
    await givePast(endpoint, 'failed', 2)
    const { status, text } = await developer.get(`${endpoint.page}?after='&state=none`)
    expect(status).toBe(200)
    expect(text.match(/<tr class="linked">/g)).toHaveLength(2)
  })
})

describe('a replay', () => {
  it('sends what was missed since a time, and what was taken too if that is wanted', async () => {
    const endpoint = await listening()
    for (const state of ['held', 'failed', 'delivered']) await givePast(endpoint, state, 90)
    const replay = (fields: Record<string, string>) => developer.submit(`${endpoint.page}/replay`, fields)
    expect((await replay({ since: '3600', what: 'missed' })).text).toContain('120 events are sent again.')
    expect((await replay({ since: '3600', what: 'missed' })).text).toContain('There was nothing to send again.')
    expect((await replay({ since: '3600', what: 'all' })).text).toContain('60 events are sent again.')
    const time = new Date(server.runtime.now().getTime() - 70 * 60_000).toISOString().slice(0, 16)
    expect((await replay({ since: 'time', time, what: 'missed' })).text).toContain('20 events are sent again.')
    expect((await replay({ since: 'held', what: 'missed' })).text).toContain('40 events are sent again.')
  })

  it('of more than a request has time for says so, and goes on where it stopped when that is wanted', async () => {
    const endpoint = await listening()
    await givePast(endpoint, 'delivered', 1100)
    const { elapsedMs } = server.runtime
    let late = 0
    server.runtime.elapsedMs = () => elapsedMs() + late++ * 6000
    const { text } = await developer.submit(`${endpoint.page}/replay`, {
      since: 'time',
      time: '2026-01-01T00:00',
      what: 'all',
    })
    server.runtime.elapsedMs = elapsedMs
    expect(text).toMatch(/[\d,]+ events are sent again. That is not all: go on where it stopped\./)
    expect(text).toContain('value="place" checked')
    expect(text).toContain('value="all" checked')
    const field = (name: string) => new RegExp(`name="${name}" value="(\\w+)"`).exec(text)![1]!
    const rest = { since: 'place', what: 'all', after: field('after'), until: field('until') }
    const sent = Number(/([\d,]+) events? (?:is|are) sent again/.exec(text)![1]!.replace(',', ''))
    const left = (await developer.submit(`${endpoint.page}/replay`, rest)).text
    expect(left).toContain(`${1100 - sent} events are sent again.`)
    expect((await developer.post(`${endpoint.page}/replay`, { ...rest, after: 'x' })).text).toContain(
      'Choose since when.',
    )
  })

  it('is refused without a time, with what was entered', async () => {
    const { page } = await listening()
    const { status, text } = await developer.post(`${page}/replay`, { since: 'time', time: 'soon', what: 'all' })
    expect(status).toBe(400)
    expect(text).toContain('Write since when')
    expect(text).toContain('value="all" checked')
    const before = { since: 'time', time: '0000-12-31T23:00', what: 'all' }
    expect((await developer.post(`${page}/replay`, before)).text).toContain('Write since when')
    expect((await developer.post(`${page}/replay`, { since: '1e9' })).text).toContain('Choose since when.')
  })
})

describe('an endpoint that is disabled', () => {
  it('is sent nothing, and what it missed is offered when it is enabled', async () => {
    const endpoint = await listening({ mode: 'test' })
    const { text } = await developer.submit(`${endpoint.page}/disable`)
    expect(text).toContain('A user disabled it.')
    await server.test.send('+14155550110')
    await server.work()
    expect(endpoint.received).toEqual([])
    const held = (await eventsOf(endpoint)).length
    const { text: choices } = await developer.submit(`${endpoint.page}/enable`)
    expect(choices).toContain(`${held} events are held for it: choose what is sent.`)
    expect(choices).toContain('value="held" checked')
    await developer.post(`${endpoint.page}/replay`, { since: 'held', what: 'missed' })
    await server.work()
    expect(endpoint.received).toHaveLength(held)
  })

  it('because it said that it is gone, says so', async () => {
    const endpoint = await listening({ mode: 'test', behaviour: { status: 410 } })
    await developer.post(`${endpoint.page}/test`, { type: 'message.failed' })
    await server.work()
    expect((await developer.get(endpoint.page)).text).toContain('It returned 410')
    expect((await developer.submit(`${endpoint.page}/test`, { type: 'message.failed' })).text).toContain(
      'enable it first',
    )
  })

  it('soon, because it fails, says since when and with what', async () => {
    const endpoint = await listening({ behaviour: { status: 500 } })
    await developer.post(`${endpoint.page}/test`, { type: 'message.failed' })
    await server.work()
    const { text } = await developer.get(endpoint.page)
    expect(text).toContain(`Failing since <time datetime="${server.runtime.now().toISOString()}"`)
    expect(text).toContain('<b class="theirs">500</b>')
  })

  it('for good is removed, with what it was told', async () => {
    const endpoint = await listening()
    await givePast(endpoint, 'held', 3)
    expect((await developer.submit(`${endpoint.page}/remove`)).text).toContain('Removed http://127.0.0.1')
    expect((await developer.get(endpoint.page)).status).toBe(404)
    expect(await eventsOf(endpoint)).toEqual([])
  })
})

it('text of others is shown as text', async () => {
  const hostile = `"><img src=x onerror=alert(1)>`
  const receiver = await listening({ behaviour: { status: 500, body: hostile } })
  const url = `${receiver.url}/${encodeURIComponent(hostile)}'onx=?q=<script>`.replaceAll("'", '%27')
  const fault = await developer.post('/webhooks', { url: `https://${hostile}/`, mode: hostile, events: 'all' })
  expect(fault.text).not.toContain(hostile)
  await server.app.endpoints.remove(await server.app.endpoints.require(receiver.id))
  const { text: added } = await developer.post('/webhooks', { url, mode: 'test', events: 'all' })
  const id = idIn(added)
  await developer.post(`/webhooks/${id}/test`, { type: 'message.failed' })
  await server.work()
  const [eventId] = await eventsOf({ id })
  const { text } = await developer.get(`/webhooks/${id}/${eventId}`)
  expect(text).toContain('&#34;&#62;&#60;img src=x onerror=alert(1)&#62;')
  for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/${eventId}`, `/webhooks/${id}/replay`]) {
    const { text: page } = await developer.get(path)
    expect(page).not.toMatch(/<img src=x|<script>/)
  }
})
