/** What `docs/notifications.md` has its reader do, on simulated phones. */
import type { App } from '../../src/app/app.ts'
import { scopes } from '../../src/contract/document.ts'
import { theService } from '../../src/domain/access/actor.ts'
import { standardOptions } from '../../src/simulator/options.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'

export interface Shop {
  app: App
  accountId: string
  /** Of the API. */
  url: string
  simulator: Simulator
}

/** @returns the ids of the messages, in the order of the page */
export async function simulateShop({ app, accountId, url, simulator }: Shop): Promise<string[]> {
  const { admin, worker } = app
  await admin.connections.apply(theService, accountId, connectionsTo(simulator))
  const [wa, sms] = await admin.connections.list(theService, accountId)
  simulator.pointAt({ whatsapp: url + wa!.reportPath, sms: { twilio: url + sms!.reportPath } })
  for (const { button, ...approved } of parcels) {
    const buttons = [{ type: 'URL' as const, text: button, url: 'https://shop.example/orders/{{1}}' }]
    simulator.putTemplate({ name: 'parcel_shipped', header: { format: 'IMAGE' }, ...approved, buttons })
  }
  await admin.templates.apply(theService, accountId, [template])
  const { key } = await admin.apiKeys.create(theService, {
    ...{ accountId, name: 'shop', mode: 'live', scopes, expiresAt: null },
  })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ids: string[] = []
  for (const body of notifications) {
    const answer = await fetch(`${url}/v1/notifications/send`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${await answer.text()}`)
    ids.push(((await answer.json()) as { data: { request_id: string } }).data.request_id)
    // A report may bring the next connection's turn.
    for (let jobs = 1; jobs > 0; await simulator.settled()) jobs = await worker.runOnce()
  }
  return ids
}

function connectionsTo(simulator: Simulator) {
  const { base_url, settings } = simulator.sms('twilio')
  const { whatsappToken, appSecret, verifyToken, businessAccountId, phoneNumberIds } = standardOptions
  return [
    {
      ...{ id: 'wa', kind: 'whatsapp', base_url: simulator.url, access_token: whatsappToken },
      ...{ phone_number_id: phoneNumberIds[0], business_account_id: businessAccountId },
      ...{ app_secret: appSecret, verify_token: verifyToken },
      code_template: { name: 'auth_copy_code', language: 'en_US' },
    },
    {
      ...{ id: 'sms', kind: 'sms', provider: 'twilio', base_url, ...settings },
      ...{ account_sid: 'AC00000000000000000000000000000000', from: '+15005550006' },
    },
  ]
}

const parcels = [
  { language: 'de', body: 'Hallo {{customer}}, Ihre Bestellung {{number}} ist unterwegs.', button: 'Verfolgen' },
  { language: 'es', body: 'Hola {{customer}}, el pedido {{number}} está en camino.', button: 'Seguir' },
]

const whatsapp = {
  ...{ name: 'parcel_shipped', language: 'en_US', header: { image: '{{photo}}' } },
  ...{ body: { customer: 'name', number: 'order' }, buttons: [{ url: '{{order}}' }] },
}
const template = {
  ...{ slug: 'order-shipped', category: 'utility', defaultLocale: 'en', channels: { whatsapp } },
  text: '{{name}}, your order {{order}} is on its way. {{photo}}',
  locales: {
    de: {
      text: '{{name}}, Ihre Bestellung {{order}} ist unterwegs. {{photo}}',
      channels: { whatsapp: { ...whatsapp, language: 'de' } },
    },
    es: {
      text: '{{name}}, el pedido {{order}} va en camino. {{photo}}',
      channels: { whatsapp: { ...whatsapp, language: 'es' } },
    },
  },
}

const shipped = (phone: string, locale: string, name: string, order: string) => ({
  ...{ phone, template: template.slug, locale, reference: `order-${order}` },
  variables: { name, order, photo: `https://shop.example/${order.toLowerCase()}.jpg` },
})
const notifications = [
  shipped('+14155550200', 'de', 'Ada', 'A-17'),
  shipped('+14155550230', 'es', 'Luz', 'A-18'),
  { phone: '+14155550250', template: 'welcome', variables: { name: 'Eve' } },
]
