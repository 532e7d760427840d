/** The address of the person who asks, as proxies, servers and libraries hand it on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, openSite, type Site } from './site.ts'

let site: Site
let api: Api
let sids: { account_sid: string; service_sid: string }
beforeAll(async () => {
  site = await openSite({ TWILIO_VERIFY: 'on' })
  api = await site.api('test')
  sids = JSON.parse((await site.cli('twilio', 'show', '--json')).stdout)
})
afterAll(() => site?.close())

let count = 0
const newPhone = () => `+1415556${4000 + count++}`

async function asTwilio(form: Record<string, string>) {
  const authorization = `Basic ${Buffer.from(`${sids.account_sid}:${api.key}`).toString('base64')}`
  const body = new URLSearchParams({ To: newPhone(), Channel: 'sms', ...form })
  const path = `${site.url}/v2/Services/${sids.service_sid}/Verifications`
  const response = await fetch(path, { method: 'POST', headers: { authorization }, body })
  return { status: response.status, body: (await response.json()) as { message?: string } }
}

const asApi = (ip: string) => api.post('/v1/verify/send', { phone: newPhone(), signals: { ip } })

describe('the address of the person who asks', () => {
  it.each([
    ['as it is', '203.0.113.7'],
    ['with a port, as Azure writes it', '203.0.113.7:51234'],
    ['in brackets, with a port', '[2001:db8::1]:443'],
    ['in brackets', '[2001:db8::1]'],
    ['as IPv6, as node has it', '::ffff:203.0.113.7'],
    ['with a blank behind it', '203.0.113.7 '],
    ['with the line end of a header', '203.0.113.7\r\n'],
    ['as a list of X-Forwarded-For', '203.0.113.7, 10.0.0.1'],
    ['as a list without blanks', '203.0.113.7,198.51.100.1,10.0.0.1'],
    ['as a list with ports', '203.0.113.7:4711, 10.0.0.1:80'],
    ['behind the address of an own network', '10.1.2.3, 203.0.113.7'],
    ['behind a proxy that knew none', 'unknown, 203.0.113.7'],
    ['behind what its browser made up', 'x<y, 203.0.113.7'],
    ['with a comma too many', ', 203.0.113.7,'],
    ['of a link, with its interface', 'fe80::1%eth0'],
    ['of the machine itself', '::1'],
    ['unknown', 'unknown'],
    ['unknown, in other letters', 'Unknown'],
    ['a dash, as logs of nginx have it', '-'],
    ['empty', ''],
    ['a blank', ' '],
  ])('%s, keeps no code from its phone, by API and wire: %j', async (_what, ip) => {
    expect((await asApi(ip)).status).toBe(200)
    expect((await asTwilio({ DeviceIp: ip })).status).toBe(201)
    expect((await asTwilio({ RateLimits: JSON.stringify({ end_user_ip_address: ip }) })).status).toBe(201)
  })

  it.each(['somewhere', '1.2.3', '203.0.113.7:99999', '16909060', 'a, b', 'undefined', '203.0.113.7/24'])(
    'that is none, %j, is refused under the name that its caller wrote',
    async (ip) => {
      const { status, body } = await asApi(ip)
      expect([status, body.data.details[0].field]).toEqual([400, '/signals/ip'])
      const words = 'must be an IPv4 or an IPv6 address'
      const device = await asTwilio({ DeviceIp: ip })
      expect([device.status, device.body.message]).toEqual([400, expect.stringContaining(`DeviceIp ${words}`)])
      const limits = await asTwilio({ RateLimits: JSON.stringify({ end_user_ip_address: ip }) })
      expect([limits.status, limits.body.message]).toEqual([
        400,
        expect.stringContaining(`RateLimits has an end_user_ip_address, which ${words}`),
      ])
      expect(limits.body.message).not.toContain('DeviceIp')
    },
  )
})
