/** Twilio's own library for node, which reads what this service answers into its own types and errors. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/contract/redocly.ts'
import { newPhone } from '../support/server.ts'
import { openTwilio, type TwilioStage } from '../support/twilio.ts'

/** As much of the library as is used here: its types are not those of this project. */
type Twilio = (user: string, password: string, options?: object) => TwilioClient
interface TwilioClient {
  verify: { baseUrl: string; v2: { services: (sid: string) => TwilioService } }
  getHostname: (host: string, edge?: string, region?: string) => string
}
interface TwilioService {
  verifications: {
    create: (given: object) => Promise<Verification>
    (sid: string): { fetch: () => Promise<Verification>; update: (given: object) => Promise<Verification> }
  }
  verificationChecks: { create: (given: object) => Promise<Verification> }
}
interface Verification {
  sid: string
  status: string
  valid: boolean
  dateCreated: Date
}

// What `npm run test:twilio` alone installs.
const twilio = createRequire(join(root, 'packages/twilio/package.json'))('twilio') as Twilio

let stage: TwilioStage
let service: TwilioService
beforeAll(async () => {
  stage = await openTwilio()
  service = serviceFor(stage.accountSid, await stage.server.key())
})
afterAll(() => stage.close())

function serviceFor(user: string, key: string, options: object = {}): TwilioService {
  const client = twilio(user, key, options)
  client.verify.baseUrl = stage.server.url
  return client.verify.v2.services(stage.serviceSid)
}

const start = (to = newPhone()) => service.verifications.create({ to, channel: 'sms' })

describe('the library for node', () => {
  it('starts a verification and checks it, a wrong code first', async () => {
    const to = newPhone()
    const started = await start(to)
    expect(started).toMatchObject({ status: 'pending', valid: false, dateCreated: expect.any(Date) })
    expect(Number.isNaN(started.dateCreated.getTime())).toBe(false)
    expect(await service.verificationChecks.create({ to, code: '111111' })).toMatchObject({ status: 'pending' })
    expect(await service.verificationChecks.create({ to, code: '000000' })).toMatchObject({
      ...{ sid: started.sid, status: 'approved', valid: true },
    })
  })

  it('reads a verification, and cancels it', async () => {
    const { sid } = await start()
    expect(await service.verifications(sid).fetch()).toMatchObject({ sid, status: 'pending' })
    expect(await service.verifications(sid).update({ status: 'canceled' })).toMatchObject({ status: 'canceled' })
    await expect(service.verifications(sid).fetch()).rejects.toMatchObject({ status: 404, code: 20_404 })
  })

  it('signs in with the SID of a key as well', async () => {
    const { accountSid } = stage
    const other = serviceFor(`SK${'0'.repeat(32)}`, await stage.server.key(), { accountSid })
    expect(await other.verifications.create({ to: newPhone(), channel: 'sms' })).toMatchObject({ status: 'pending' })
  })

  it('gets each error with its number, and where to read about it', async () => {
    const refused = (given: object) => service.verifications.create(given).catch((error: unknown) => error)
    const moreInfo = `${stage.server.url}/docs/errors#invalid_phone`
    expect(await refused({ to: '+14155', channel: 'sms' })).toMatchObject({ status: 400, code: 60_200, moreInfo })
    expect(await refused({ to: newPhone(), channel: 'call' })).toMatchObject({ status: 400, code: 60_200 })
    const stranger = serviceFor(stage.accountSid, `ww_test_${'0'.repeat(49)}`)
    const unknown = stranger.verifications.create({ to: newPhone(), channel: 'sms' })
    await expect(unknown).rejects.toMatchObject({ status: 401, code: 20_003 })
    const limited = serviceFor(stage.accountSid, await stage.server.key({ mode: 'live' }))
    const to = newPhone()
    await limited.verifications.create({ to, channel: 'sms' })
    const again = limited.verifications.create({ to, channel: 'sms' })
    await expect(again).rejects.toMatchObject({ status: 429, code: 60_203 })
  })
})

describe('the warning at the top of docs/twilio.md: the library for node', () => {
  const client = twilio(`AC${'0'.repeat(32)}`, 'a key')

  it.each(['localhost', '127.0.0.1', 'otp.acme.com', 'otp.eu.acme.com', 'otp.a.eu.acme.com'])('keeps %s', (host) => {
    expect(client.getHostname(host)).toBe(host)
  })

  it.each([
    ['acme.io', 'acme.io.acme.io'],
    ['otp.x.a.eu.acme.com', 'otp.x.a.acme.com'],
  ])('makes another host of %s: %s', (host, other) => {
    expect(client.getHostname(host)).toBe(other)
  })
})
