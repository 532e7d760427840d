/** Which connection a signed receipt names: the one that brought the code, however far the route went on. */
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { createRoutes, failed, tg, unknown, wa } from '../support/routes.ts'

const routes = createRoutes({ publicUrl: 'https://otp.acme.example' })
const { accountWith, report } = routes

/** Sends a code that has gone to both connections after half a minute. @returns what a receipt for it names */
async function channelAfter(happened: (accountId: string, id: string) => Promise<void>): Promise<unknown> {
  const { accountId, live } = await accountWith(wa({ failoverSeconds: 30 }), tg())
  routes.answers = { tg: () => (happened === refused ? failed('number not on Telegram') : unknown) }
  const request_id = await routes.sentBy(live)
  await routes.server.advance(30)
  await routes.server.work()
  expect(routes.connections()).toEqual(['wa-eu', 'tg'])
  await happened(accountId, request_id)
  const { code } = routes.asked[0]!.content as { code: string }
  const body = { request_id, code, receipt: { audience: 'shop' } }
  const { data } = await live.post<{ receipt: string }>('/v1/verify/check', body)
  return decodeJwt<{ channel: string }>(data.receipt).channel
}
const refused = async () => {}

it('a receipt names the connection that took the code, not the next one that refused it', async () => {
  expect(await channelAfter(refused)).toBe('wa-eu')
})

it('a receipt names the connection that delivered the code, also after a later one took it', async () => {
  const named = await channelAfter(async (accountId, id) => {
    await report(accountId, 'tg', id, { status: 'sent', providerMessageId: 'tg-1' })
    await report(accountId, 'wa-eu', id, { status: 'delivered' })
  })
  expect(named).toBe('wa-eu')
})

it('a receipt names the connection that took the code last where none says that it arrived', async () => {
  const named = await channelAfter((accountId, id) =>
    report(accountId, 'tg', id, { status: 'sent', providerMessageId: 'tg-2' }),
  )
  expect(named).toBe('tg')
})
