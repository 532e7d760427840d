import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Page {
  messages: { id: string; kind: string; status: string; timestamp: string }[]
  next: string | null
}

const list = async (query: string, caller = server.test) => (await caller.get<Page>(`/v1/messages?${query}`)).data

async function pagesOf(query: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let after = ''; ; ) {
    const { messages, next } = await list(`${query}${after}`)
    pages.push(messages.map(({ id }) => id))
    if (next === null) return pages
    after = `&after=${next}`
  }
}

async function sendTo(phone: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let sent = 0; sent < count; sent++) {
    ids.push(await server.test.send(phone))
    await server.advance(1)
  }
  return ids
}

describe('the list of messages', () => {
  it('has the newest first, each once, over as many pages as it takes', async () => {
    const phone = newPhone()
    const ids = await sendTo(phone, 5)
    const newest = ids.toReversed()
    expect(await pagesOf(`phone=${phone}&limit=2`)).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)])
    expect(await pagesOf(`phone=${phone}&limit=5`)).toEqual([newest])
  })

  it('does not list twice or leave out what is made while somebody turns the pages', async () => {
    const phone = newPhone()
    const ids = await sendTo(phone, 4)
    const first = await list(`phone=${phone}&limit=2`)
    await sendTo(phone, 2)
    const second = await list(`phone=${phone}&limit=2&after=${first.next}`)
    expect([...first.messages, ...second.messages].map(({ id }) => id)).toEqual(ids.toReversed())
  })

  it('says of each what getMessage says, but for its attempts, prices and expiry', async () => {
    const phone = '+14155550100'
    const id = await server.test.send(phone)
    await server.work()
    const { data } = await server.test.get<Record<string, unknown>>(`/v1/messages/${id}`)
    const { attempts: _attempts, expires_at: _expires, ...brief } = data
    const { messages } = await list(`phone=${phone}&limit=1`)
    expect(brief).toMatchObject({ id, kind: 'verification', status: 'delivered', channel: 'sandbox' })
    expect(messages).toEqual([brief])
  })

  it('is narrowed by status, as it is now, and by kind', async () => {
    const phone = newPhone()
    const [code] = await sendTo(phone, 1)
    const body = { phone, template: 'welcome', variables: { name: 'Ada' } }
    const { data } = await server.test.post<{ request_id: string }>('/v1/notifications/send', body)
    const found = async (query: string) => (await list(`phone=${phone}&${query}`)).messages.map(({ id }) => id)
    expect(await found('kind=verification')).toEqual([code])
    expect(await found('kind=notification')).toEqual([data.request_id])
    expect(await found('status=sent')).toEqual([code])
    await server.advance(600)
    expect(await found('status=sent')).toEqual([])
    expect(await found('status=expired')).toEqual([code])
    expect(await found('kind=notification&status=expired')).toEqual([])
  })

  it('has 20 messages on a page unless another number is asked for', async () => {
    const phone = newPhone()
    await sendTo(phone, 21)
    expect((await list(`phone=${phone}`)).messages).toHaveLength(20)
  })

  it('has nothing of another mode or account', async () => {
    const phone = newPhone()
    const [id] = await sendTo(phone, 1)
    const { name: account } = await server.app.accounts.create(`other ${phone.slice(1)}`)
    const stranger = server.as(await server.key({ account }))
    expect((await list(`phone=${phone}`, server.live)).messages).toEqual([])
    expect((await list(`phone=${phone}`, stranger)).messages).toEqual([])
    expect((await list(`phone=${phone}&after=${id}`, stranger)).messages).toEqual([])
  })

  it('refuses a parameter that is wrong, comes twice or is none of its own, each by its name', async () => {
    const { status, data } = await server.test.get<{ code: string; details: { field: string; code: string }[] }>(
      '/v1/messages?limit=0&limit=5&phone=14155550100&status=lost&kind=verification&after=req_1&order=id',
    )
    expect(status).toBe(400)
    expect(data.code).toBe('invalid_request')
    expect(data.details.map(({ field, code }) => `${field} ${code}`).toSorted()).toEqual([
      'query:after wrong_format',
      'query:limit repeated',
      'query:order unknown',
      'query:phone wrong_format',
      'query:status wrong_format',
    ])
  })

  it.each(['limit=101', 'limit=', 'limit=1.0', 'limit=ten', 'phone=', 'status=&kind=', 'Limit=5'])(
    'refuses ?%s',
    async (query) => {
      expect((await server.test.get(`/v1/messages?${query}`)).status).toBe(400)
    },
  )
})
