/** The admin paths, and who may use them. */
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultTable } from '../../src/simulator/faults.ts'
import { code, type Simulated, startSimulated } from '../support/simulated.ts'

const phone = '+14155552671'

let simulated: Simulated
beforeEach(async () => {
  simulated = await startSimulated()
})
afterEach(() => simulated.close())

const admin: Simulated['admin'] = (...asked) => simulated.admin(...asked)

describe('an operator over HTTP', () => {
  it.each([phone, phone.slice(1), `%2B${phone.slice(1)}`])('sees what %s got, and forgets it', async (written) => {
    await simulated.whatsapp(phone)
    await simulated.settled()
    const { json } = await admin('GET', `/phones/${written}`)
    expect(json).toEqual(simulated.phone(phone))
    expect(json.messages).toMatchObject([{ code, statuses: [{ status: 'delivered' }] }])
    expect((await admin('GET', '/phones')).json).toEqual([
      { phone, faults: {}, messages: 1, refused: 0, last_at: json.messages[0].at },
    ])
    expect((await admin('DELETE', `/phones/${written}`)).status).toBe(200)
    expect(simulated.phones()).toEqual([])
  })

  it('answers a message as its reader would', async () => {
    await simulated.whatsapp(phone)
    await simulated.settled()
    const { id } = simulated.phone(phone).messages[0]!
    expect((await admin('POST', '/replies', { id, text: 'STOP' })).json).toEqual({ answered: 200 })
    expect((await simulated.reported()).at(-1)?.body).toContain('"text":{"body":"STOP"}')
    expect((await admin('POST', '/replies', { id: 'wamid.other', text: 'STOP' })).status).toBe(404)
  })

  it('pauses a template as Meta does, and tells its webhook once', async () => {
    const change = { name: 'welcome', status: 'PAUSED', category: 'MARKETING' }
    expect((await admin('POST', '/templates', change)).json).toEqual([{ answered: 200 }, { answered: 200 }])
    const posted = (await simulated.reported()).map(({ body }) => JSON.parse(body).entry[0].changes[0])
    const named = { message_template_name: 'welcome', message_template_language: 'en_US' }
    expect(posted).toMatchObject([
      { field: 'message_template_status_update', value: { event: 'PAUSED', ...named } },
      {
        field: 'template_category_update',
        value: { previous_category: 'UTILITY', new_category: 'MARKETING', ...named },
      },
    ])
    expect((await admin('POST', '/templates', change)).json).toEqual([])
    expect((await admin('POST', '/templates', { name: 'not_there', status: 'PAUSED' })).status).toBe(404)
    expect((await admin('POST', '/templates', { name: 'welcome', status: 'SLEEPY' })).status).toBe(400)
  })

  it('gives a phone a fault, and takes it away', async () => {
    expect((await admin('PUT', `/phones/${phone}`, { fault: 'token-refused' })).status).toBe(200)
    expect((await simulated.whatsapp(phone)).status).toBe(401)
    expect((await admin('PUT', `/phones/${phone}`, { fault: 'delivered', wire: 'whatsapp' })).status).toBe(200)
    expect((await simulated.whatsapp(phone)).status).toBe(200)
    expect((await simulated.sendByTelegram(phone)).json.ok).toBe(false)
    expect((await admin('PUT', `/phones/${phone}`, { fault: null })).status).toBe(200)
    expect((await simulated.sendByTelegram(phone)).json.ok).toBe(true)
    await admin('DELETE', '/phones')
    expect((await admin('GET', '/phones')).json).toEqual([])
  })

  it('reports by hand, and is told what the service answered', async () => {
    await simulated.whatsapp(phone)
    await simulated.settled()
    const { id } = simulated.phone(phone).messages[0]!
    expect((await admin('POST', '/reports', { id, status: 'failed', code: 131_049 })).json).toEqual({ answered: 200 })
    expect((await simulated.reported()).at(-1)?.body).toContain('"code":131049')
    expect((await admin('POST', '/reports', { id: 'none', status: 'read' })).status).toBe(404)
  })

  it('sets chaos, slowness and webhooks, and sees them', async () => {
    await admin('PUT', '/chaos', { probability: 0.3, seed: 9 })
    await admin('PUT', '/slowness', { every: 10, ms: 8000 })
    const { json } = await admin('GET', '')
    expect(json).toMatchObject({ chaos: { probability: 0.3, seed: 9 }, slowness: { every: 10, ms: 8000 } })
    await admin('DELETE', '/chaos')
    await admin('DELETE', '/slowness')
    expect((await admin('GET', '')).json).toMatchObject({ chaos: null, slowness: null })
    await admin('PUT', '/webhooks', { whatsapp: `${simulated.receiver.url}/elsewhere` })
    await simulated.whatsapp(phone)
    await simulated.sendByTelegram(phone)
    expect((await simulated.reported()).map(({ path }) => path).toSorted()).toEqual(['/elsewhere', '/tg'])
  })

  it('lists faults and templates', async () => {
    expect((await admin('GET', '/faults')).json.faults).toEqual(faultTable)
    await admin('PUT', '/templates', { name: 'order_shipped', body: 'Order {{1}} is on its way.' })
    const names = (await admin('GET', '/templates')).json.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['auth_copy_code', 'welcome', 'parcel_shipped', 'order_shipped'])
  })

  it('can wait until every report is settled', async () => {
    const other = await startSimulated({ reportAfterMs: 30 })
    await other.whatsapp(phone)
    expect(other.receiver.asked).toEqual([])
    await other.admin('GET', '/settled')
    expect(other.receiver.asked).toHaveLength(1)
    await other.close()
  })

  it.each([
    ['PUT', `/phones/${phone}`, { fault: 'none' }, 400],
    ['PUT', `/phones/${phone}`, { fault: 'expired', wire: 'whatsapp' }, 400],
    ['PUT', `/phones/${phone}`, { fault: 7 }, 400],
    ['PUT', `/phones/${phone}`, '{', 400],
    ['PUT', '/phones/none', { fault: 'hangs' }, 404],
    ['PATCH', `/phones/${phone}`, {}, 404],
    ['PUT', '/chaos', { probability: 2 }, 400],
    ['PUT', '/chaos', { probability: 0.1, faults: ['none'] }, 400],
    ['PUT', '/slowness', { every: 0, ms: 1 }, 400],
    ['PUT', '/webhooks', { whatsapp: 'file:///etc/passwd' }, 400],
    ['PUT', '/templates', { name: 'A B' }, 400],
    ['POST', '/reports', { id: 'x', status: 'eaten' }, 400],
    ['GET', '/none', undefined, 404],
    ['GET', '/__proto__', undefined, 404],
  ])('is told what is wrong: %s %s %j', async (method, path, body, status) => {
    const answer = await admin(method, path, body)
    expect([answer.status, answer.json]).toEqual([status, { error: expect.stringMatching(/./) }])
    expect(simulated.phones()).toEqual([])
  })
})

describe('a page of another site', () => {
  /** @param host as a browser sends it */
  const under = (host: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      request(simulated.url + path, { headers: { Host: host } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  it.each([
    '/',
    '/_simulator',
    '/_simulator/phones',
    '/_simulator/parts',
    '/v23.0/106540352242922',
    '/checkSendAbility',
  ])('cannot ask under a name of its own: %s', async (path) => {
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.9']) {
      expect(await under(host, path), host).toBe(421)
    }
    expect(await under('localhost:9700', path)).not.toBe(421)
  })

  it('can ask under a name that the operator lists', async () => {
    const other = await startSimulated({ hosts: ['simulator'] })
    const status = await new Promise((resolve) => {
      request(other.url, { headers: { Host: 'simulator:9700' } }, ({ statusCode }) => resolve(statusCode)).end()
    })
    expect(status).toBe(200)
    await other.close()
  })

  it.each(['cross-site', 'same-site'])('changes nothing: %s', async (site) => {
    const body = { fault: 'hangs' }
    expect((await admin('PUT', `/phones/${phone}`, body, { 'Sec-Fetch-Site': site })).status).toBe(403)
    expect((await admin('DELETE', '/phones', undefined, { 'Sec-Fetch-Site': site })).status).toBe(403)
    expect(simulated.phones()).toEqual([])
  })

  it('posts no form, also from a browser that does not say where it comes from', async () => {
    const answer = await admin('POST', '/reports', '{"id":"x","status":"read"}', { 'Content-Type': 'text/plain' })
    expect([answer.status, answer.json.error]).toEqual([403, 'A POST needs Content-Type: application/json.'])
  })
})
