/** Which connections a channel of Twilio stands for, and what the door holds its own answers to. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageIdIn, serviceSidOf } from '../../../src/domain/twilioSid.ts'
import { createResponseGuard } from '../../../src/http/api/guard.ts'
import { createTwilioWire } from '../../../src/http/twilio/wire.ts'
import { testRuntime } from '../../support/runtime.ts'
import { newPhone } from '../../support/server.ts'
import { basic, openTwilio, type TwilioStage } from '../../support/twilio.ts'

let stage: TwilioStage
beforeAll(async () => {
  stage = await openTwilio()
})
afterAll(() => stage.close())

const telegram = { id: 'tg', kind: 'telegram', access_token: 'a-token-of-nobody' }
const box = { id: 'box', kind: 'http', url: 'https://127.0.0.1:9/send', secret: `whsec_${btoa('0'.repeat(32))}` }

/** Starts a verification in a new account with these connections. */
async function start(list: { id: string; kind: string }[], Channel: string) {
  const { server } = stage
  const { id, name: account } = await server.app.accounts.create(`ways ${newPhone().slice(1)}`)
  await server.app.connections.apply(id, list)
  const response = await fetch(`${server.url}/v2/Services/${serviceSidOf(id)}/Verifications`, {
    method: 'POST',
    headers: { authorization: basic(`SK${'0'.repeat(32)}`, await server.key({ mode: 'live', account })) },
    body: new URLSearchParams({ To: newPhone(), Channel }),
  })
  const body = (await response.json()) as { sid: string; channel: string; code?: number }
  const rows = await server.query<{ route: string }>(
    sql`select array_to_string(route, ' ') as route from message where id = ${messageIdIn(body.sid ?? '') ?? ''}`,
  )
  return { status: response.status, route: rows[0]?.route, channel: body.channel, code: body.code }
}

describe('a channel', () => {
  it.each(['sms', 'whatsapp'])('leaves out connections of other kinds: %s', async (channel) => {
    expect(await start([telegram, box], channel)).toMatchObject({ status: 201, route: 'box', channel })
    expect(await start([telegram], channel)).toMatchObject({ status: 400, code: 60_223 })
  })

  it('that is auto takes all of them, and says so where the first is neither of the others', async () => {
    expect(await start([telegram, box], 'auto')).toMatchObject({ status: 201, route: 'tg box', channel: 'auto' })
    expect(await start([box, telegram], 'auto')).toMatchObject({ status: 201, route: 'box tg', channel: 'sms' })
  })
})

it('a repeat by Idempotency-Key sends once a connection can carry it, where none could at first', async () => {
  const { server } = stage
  const { id, name: account } = await server.app.accounts.create(`ways ${newPhone().slice(1)}`)
  await server.app.connections.apply(id, [telegram])
  const authorization = basic(`SK${'0'.repeat(32)}`, await server.key({ mode: 'live', account }))
  const To = newPhone()
  const ask = () =>
    fetch(`${server.url}/v2/Services/${serviceSidOf(id)}/Verifications`, {
      method: 'POST',
      headers: { authorization, 'Idempotency-Key': 'before-the-connection' },
      body: new URLSearchParams({ To, Channel: 'sms' }),
    })
  expect((await ask()).status).toBe(400)
  await server.app.connections.apply(id, [box])
  expect((await ask()).status).toBe(201)
})

describe('outside production', () => {
  it('an answer that twilio-verify.yaml does not describe becomes a 500 with 20500', async () => {
    const { log, lines } = testRuntime()
    const wire = createTwilioWire(() => 'http://localhost:3000')
    const guard = await createResponseGuard({ wire, log })
    const exchange = { request: {} as never, traceId: '0'.repeat(32), operationId: 'createVerification' }
    const answer = { status: 201, body: { sid: 'VE', surplus: true } }
    expect(guard(answer, exchange)).toMatchObject({ status: 500, body: { code: 20_500, status: 500 } })
    expect(lines.join()).toContain('an answer breaks the contract')
  })
})
