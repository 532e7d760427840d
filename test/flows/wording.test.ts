import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSecret } from '../../src/outbound/signature.ts'
import { startProvider } from '../support/provider.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ config: { codeTtlSeconds: 330 } })
})
afterAll(() => server.close())

async function textOfSend(body: object): Promise<string | undefined> {
  const phone = newPhone()
  await server.test.send(phone, body)
  await server.work()
  return (await server.phone(phone)).at(-1)?.text
}

describe('the text of a code', () => {
  it('is in the language that was asked for, and says how long the code is valid', async () => {
    expect(await textOfSend({ brand_name: 'Acme', locale: 'de-AT' })).toBe(
      '000000 ist Ihr Code für Acme. Er gilt 5 Minuten.',
    )
    expect(await textOfSend({ locale: 'xx', length: 4 })).toBe('0000 is your code. It is valid for 5 minutes.')
  })

  it('ends with the lines that let a phone fill it in', async () => {
    const autofill = { domain: 'acme.com', app_hash: 'FA+9qCX9VSu' }
    expect(await textOfSend({ autofill })).toBe('Your code is 000000\n@acme.com #000000\nFA+9qCX9VSu')
  })

  it('is as before for who asks for nothing', async () => {
    expect(await textOfSend({ brand_name: 'Acme' })).toBe('Your Acme code is 000000')
    expect(await textOfSend({ autofill: {} })).toBe('Your code is 000000')
  })

  it('is the same for a repeated request, which differs by its locale', async () => {
    const once = { 'Idempotency-Key': 'one-text' }
    const ask = (locale: string) => server.test.post('/v1/verify/send', { phone: '+14155550101', locale }, once)
    expect((await ask('de')).status).toBe(200)
    expect((await ask('fr')).data).toMatchObject({ code: 'idempotency_key_reused' })
  })
})

it('the SMS that texts take are counted for each connection that took them, and no others', async () => {
  const gateway = await startProvider({ status: 200 })
  const connection = { id: 'gateway', kind: 'http', url: gateway.url, secret: newSecret() }
  await server.app.connections.apply('acct_default', [connection])
  const send = async (body: object) => {
    await server.live.send(newPhone(), body)
    await server.work()
  }
  await send({ locale: 'de' })
  await send({ locale: 'ru', brand_name: 'W'.repeat(30), autofill: { domain: 'acme.com' } })
  gateway.behave({ status: 422 })
  await send({ locale: 'de' })
  const figures = await (await fetch(`${server.opsUrl}/metrics`)).text()
  expect(figures.split('\n').filter((line) => line.startsWith('watchword_sms_segments_total'))).toEqual([
    'watchword_sms_segments_total{channel="http",connection="gateway",account="acct_default"} 3',
  ])
  await gateway.close()
})
