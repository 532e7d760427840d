/** Twilio's own library for node, which reads what this service answers into its own types and errors. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPhone } from '../support/server.ts'
import { openTwilio, type TwilioStage } from '../support/twilio.ts'
import { clientOf, type TwilioService, twilio } from './library.ts'

let stage: TwilioStage
let service: TwilioService
beforeAll(async () => {
  stage = await openTwilio()
  service = serviceFor(stage.accountSid, await stage.server.key())
})
afterAll(() => stage.close())

function serviceFor(user: string, key: string, options: object = {}): TwilioService {
  return clientOf(stage.server.url, user, key, options).verify.v2.services(stage.serviceSid)
}

const start = (to = newPhone()) => service.verifications.create({ to, channel: 'sms' })

describe('the library for node', () => {
  it('starts a verification and checks it, a wrong code first', async () => {
    const to = newPhone()
    const started = await start(to)
    expect(started).toMatchObject({ status: 'pending', valid: false, dateCreated: expect.any(Date) })
    expect(Number.isNaN(started.dateCreated.getTime())).toBe(false)
    expect(await service.verificationChecks.create({ to, code: '111111' })).toMatchObject({
      ...{ sid: started.sid, status: 'pending', valid: false },
    })
    expect(await service.verificationChecks.create({ to, code: '000000' })).toMatchObject({
      ...{ sid: started.sid, status: 'approved', valid: true },
    })
    const again = service.verificationChecks.create({ to, code: '000000' })
    await expect(again).rejects.toMatchObject({ status: 404, code: 20_404 })
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
