/** A message that one channel has refused, and the next one taken. */
import type { Channel } from '../../src/delivery/channel.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'
import { callerOfNewAccount } from './refused.ts'

const channel = (send: Channel['send']): Channel => ({ send, verify: () => false, parse: () => [] })
const whatsapp = channel(async () => ({ kind: 'failed', code: 'not_on_channel', reason: '131026' }))
const sms = channel(async () => ({ kind: 'sent', segments: 1, price: { amount: '0.0075', currency: 'EUR' } }))

const number = {
  phone_number_id: '1',
  business_account_id: '1',
  access_token: 'a-token',
  verify_token: 'v',
  code_template: { name: 'code', language: 'en' },
  app_secret: '0'.repeat(32),
}
const twilio = {
  provider: 'twilio',
  account_sid: `AC${'0'.repeat(32)}`,
  auth_token: '0'.repeat(32),
  from: '+14155550199',
}
const connections = [
  { id: 'wa-eu', kind: 'whatsapp', ...number },
  { id: 'sms-eu', kind: 'sms', ...twilio },
]

export async function readPassedOn({ server }: { server: TestServer }) {
  const working = await startServer({ beside: server, overrides: { channels: { whatsapp, sms } } })
  const { key } = await callerOfNewAccount(server, (id) => working.app.connections.apply(id, connections))
  const body = { phone: newPhone(), template: 'welcome', variables: { name: 'Ada' }, reference: 'order-1042' }
  const { data } = await working.as(key).post<{ request_id: string }>('/v1/notifications/send', body)
  await working.work()
  await working.close()
  return { key, path: { id: data.request_id } }
}
