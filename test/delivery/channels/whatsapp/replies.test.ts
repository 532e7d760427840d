/** What people answer on WhatsApp, in the forms that Meta documents. */
import { expect, it } from 'vitest'
import { createParse } from '../../../../src/delivery/channels/whatsapp/reports.ts'

const phoneNumberId = '106540352242922'
const now = new Date('2026-11-21T09:00:00.000Z')
const read = createParse({ accountId: 'acct_default', phoneNumberId, businessAccountId: '1022', now: () => now })
const metadata = { display_phone_number: '15550783881', phone_number_id: phoneNumberId }
const parse = (value: object, field = 'messages') => {
  const changes = [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }]
  const body = { object: 'whatsapp_business_account', entry: [{ id: '102290129340398', changes }] }
  return [...read(Buffer.from(JSON.stringify(body)))].filter((one) => one !== undefined)
}
const message = (more: object) => ({ from: '16505551234', id: 'wamid.IN', timestamp: '1795251540', ...more })
/** At the end of the second that WhatsApp names. */
const stopped = {
  ...{ reply: 'stop', phone: '+16505551234', replyId: 'wamid.IN' },
  at: new Date('2026-11-21T08:59:00.999Z'),
}

it.each([
  ['a text', { type: 'text', text: { body: 'Stop' } }],
  ['a quick reply of a template, by what it shows', { type: 'button', button: { text: 'Stop', payload: 'x' } }],
  ['a quick reply, by its payload', { type: 'button', button: { text: 'No more of this', payload: 'STOP' } }],
  [
    'a button',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '7', title: 'STOP' } } },
  ],
])('%s can say STOP', (_what, more) => {
  expect(parse({ messages: [message(more)] })).toEqual([stopped])
})

it('anything else that people send is counted, and nothing of it is kept', () => {
  const messages = [
    message({ type: 'text', text: { body: 'Where is it?' } }),
    message({ type: 'image', image: {} }),
    7,
    null,
  ]
  expect(parse({ messages }).map((told) => 'reply' in told && [told.reply, told.phone])).toEqual(
    messages.map(() => ['other', undefined]),
  )
})

it('"Stop" and "Resume" of marketing in the app opt out and in of marketing alone', () => {
  const preference = {
    wa_id: '16505551234',
    detail: 'User requested to stop marketing messages',
    timestamp: 1731705721,
  }
  const told = (more: object) => parse({ user_preferences: [{ ...preference, ...more }] }, 'user_preferences')
  const marketing = { category: 'marketing_messages' }
  const alone = { phone: '+16505551234', isOfMarketing: true }
  expect(told({ ...marketing, value: 'stop' })).toMatchObject([{ ...alone, reply: 'stop' }])
  expect(told({ ...marketing, value: 'resume' })).toMatchObject([{ ...alone, reply: 'start' }])
  expect(told({ category: 'another', value: 'stop' })).toEqual([])
})

it('replies to another number of the app are not read', () => {
  const messages = [message({ type: 'text', text: { body: 'STOP' } })]
  expect(parse({ messages, metadata: { ...metadata, phone_number_id: '1' } })).toEqual([])
})

it('a crowd of replies is cut short, and the statuses beside them are all read', () => {
  const messages = Array.from({ length: 6000 }, (_, n) => message({ id: `wamid.${n}`, text: { body: 'STOP' } }))
  const statuses = [{ id: 'wamid.OUT', status: 'delivered', timestamp: '1749416383' }]
  const told = parse({ messages, statuses })
  expect(told.filter((one) => 'reply' in one)).toHaveLength(5000)
  expect(told.filter((one) => 'status' in one)).toMatchObject([{ providerMessageId: 'wamid.OUT' }])
})
