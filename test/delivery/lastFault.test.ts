/** What a message failed for: the last fault of its recipient, where there was one. */
import { expect, it } from 'vitest'
import { createRoutes, failed, tg, unknown, wa } from '../support/routes.ts'
import { newPhone } from '../support/server.ts'

const routes = createRoutes()
const { accountWith, report, sentBy } = routes
const unpaid = { status: 'failed', errorCode: 'channel_unavailable', reason: '131042 (payment missing)' } as const

it("is the recipient's also when a report says last that the operator must act", async () => {
  const { accountId, live } = await accountWith(tg(), wa())
  routes.answers = { tg: () => failed('number not on Telegram') }
  const id = await sentBy(live)
  await report(accountId, 'wa-eu', id, unpaid)
  expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
    status: 'failed',
    error: { code: 'not_on_channel' },
  })
})

it("is the recipient's also when it is not known in the end whether the message left", async () => {
  const { accountId, live } = await accountWith(wa(), wa({ id: 'wa-us' }))
  await routes.server.app.templates.apply(accountId, [{ slug: 'hello', text: 'Hello' }])
  routes.answers = { 'wa-eu': () => failed('131026 (not on WhatsApp)'), 'wa-us': () => unknown }
  const body = { phone: newPhone(), template: 'hello', variables: {} }
  const id = (await live.post('/v1/notifications/send', body)).data.request_id as string
  for (let minute = 0; minute < 4; minute++) {
    await routes.server.work()
    await routes.server.advance(60)
  }
  expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({
    status: 'failed',
    error: { code: 'not_on_channel' },
  })
})

it("is the operator's where nothing was wrong with the recipient", async () => {
  const { accountId, live } = await accountWith(wa())
  const id = await sentBy(live)
  await report(accountId, 'wa-eu', id, unpaid)
  expect((await live.get(`/v1/messages/${id}`)).data).toMatchObject({ error: { code: 'channel_unavailable' } })
})
