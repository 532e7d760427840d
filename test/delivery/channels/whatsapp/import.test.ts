/** Templates of Meta's that become templates of an account: what fills them is sent, and passes the check. */
import { describe, expect, it } from 'vitest'
import { placesIn, withVariables } from '../../../../src/delivery/channels/whatsapp/metaTemplates.ts'
import { importedFrom } from '../../../../src/domain/templates/providerTemplate.ts'
import { startProvider } from '../../../support/provider.ts'
import { newPhone } from '../../../support/server.ts'
import { createSimulation } from '../../../support/simulation.ts'

const simulation = createSimulation()

/** An account whose WhatsApp has these templates besides the simulator's own. */
async function accountWith(...templates: Parameters<typeof simulation.simulator.putTemplate>[0][]) {
  for (const template of templates) simulation.simulator.putTemplate(template)
  const account = await simulation.accountWith(simulation.whatsapp())
  const list = async () => simulation.server.app.listProviderTemplates(account.accountId, 'wa-eu')
  const imported = async () => {
    const known = await simulation.server.app.templates.list(account.accountId)
    return importedFrom(await list(), new Set(known.map(({ slug }) => slug)))
  }
  return { ...account, list, imported }
}

const bill = {
  name: 'bill_ready',
  language: 'de',
  header: { format: 'DOCUMENT' as const },
  body: 'Hallo {{2}}, die Rechnung {{1}} ist da.',
  buttons: [
    { type: 'PHONE_NUMBER' as const, text: 'Anrufen' },
    { type: 'URL' as const, text: 'Zahlen', url: 'https://shop.example/pay/{{1}}' },
    { type: 'COPY_CODE' as const, text: 'Kopieren' },
  ],
}

describe('the templates of a connection', () => {
  it('are listed with what there is to fill, and why some cannot be', async () => {
    const { list } = await accountWith(bill)
    const found = (await list()).map(({ name, language, places, made }) => [
      `${name} ${language}`,
      'unfit' in made ? made.unfit : places.join(', '),
    ])
    expect(found).toEqual(
      expect.arrayContaining([
        ['auth_copy_code en_US', 'is for codes'],
        ['bill_ready de', 'header: document, 1, 2, button 2: url, button 3: copy_code'],
        ['parcel_shipped en_US', 'header: image, customer, number, button 1: url'],
        ['welcome en_US', '1'],
      ]),
    )
  })

  it('become templates of the account, whose every place is filled and which pass the check', async () => {
    const { accountId, live, imported } = await accountWith(bill)
    const { templates, left } = await imported()
    expect(left).toEqual([{ name: 'auth_copy_code (en_US)', reason: 'is for codes' }])
    await simulation.server.app.templates.apply(accountId, templates)
    const [checked] = await simulation.server.app.check(accountId)
    expect(checked?.findings.filter(({ level }) => level === 'bad')).toEqual([])
    const variables = { header_document: '17', v1: 'R-1', v2: 'Ada', button_2: 'R-1', button_3: 'SAVE5' }
    const phone = newPhone()
    const sent = { phone, template: 'bill_ready', variables }
    const { data } = await live.post<{ request_id: string }>('/v1/notifications/send', sent)
    await simulation.server.work()
    await expect.poll(() => live.status(data.request_id)).toBe('delivered')
    const text =
      '[document 17]\nHallo Ada, die Rechnung R-1 ist da.\n[Anrufen]\n[Zahlen https://shop.example/pay/R-1]\n[Kopieren SAVE5]'
    expect(simulation.simulator.phone(phone).messages).toMatchObject([{ template: 'bill_ready', text }])
  })

  it('say the same to other channels, with the picture and the addresses as text', async () => {
    const { imported } = await accountWith()
    const parcel = (await imported()).templates.find(({ slug }) => slug === 'parcel_shipped')
    expect(parcel).toMatchObject({
      ...{ category: 'utility', defaultLocale: 'en-US' },
      text: '{{header_image}}\nHello {{customer}}, order {{number}} is on its way.\nTrack: https://shop.example/orders/{{button_1}}',
    })
  })

  it('are one template in the languages that have the same variables', async () => {
    const { imported } = await accountWith(
      { name: 'hours', language: 'en_US', body: 'We open at {{1}}.', category: 'MARKETING' },
      { name: 'hours', language: 'de', body: 'Wir öffnen um {{1}}.', category: 'MARKETING' },
      { name: 'hours', language: 'fr', body: 'Ouvert de {{1}} à {{2}}.', category: 'MARKETING' },
    )
    const { templates, left } = await imported()
    expect(templates.find(({ slug }) => slug === 'hours')).toMatchObject({
      ...{ category: 'marketing', defaultLocale: 'en-US', text: 'We open at {{v1}}.' },
      locales: { de: { text: 'Wir öffnen um {{v1}}.' } },
    })
    expect(left).toContainEqual({ name: 'hours (fr)', reason: 'has other variables than in en-US' })
  })

  it('leave those of the account as they are', async () => {
    const { accountId, imported } = await accountWith()
    await simulation.server.app.templates.apply(accountId, [{ slug: 'welcome', text: 'Own' }])
    const { templates, left } = await imported()
    expect(templates.map(({ slug }) => slug)).not.toContain('welcome')
    expect(left).toContainEqual({ name: 'welcome', reason: 'is a template of the account already' })
  })

  it('are not to be had of a connection that is not there, or of a kind that has none', async () => {
    const { accountId } = await simulation.accountWith(simulation.telegram())
    const list = (id: string) => simulation.server.app.listProviderTemplates(accountId, id)
    await expect(list('none')).rejects.toThrow('There is no channel none.')
    await expect(list('tg')).rejects.toThrow('A channel of the kind telegram has no templates at its provider.')
  })
})

it('ten thousand templates are compared with hundreds of the account in seconds', async () => {
  const meta = await startProvider({ status: 200 })
  const page = (from: number) =>
    Array.from({ length: 500 }, (_, n) => ({
      ...{ name: `other_${from + n}`, language: 'de', status: 'APPROVED', category: 'UTILITY' },
      components: [],
    }))
  meta.behave(({ path }) => {
    const from = Number(new URL(path, meta.url).searchParams.get('after') ?? 0)
    const after = from + 500 < 10_000 ? String(from + 500) : undefined
    return { status: 200, body: JSON.stringify({ data: page(from), paging: { cursors: { after } } }) }
  })
  const { accountId } = await simulation.accountWith(simulation.whatsapp({ base_url: meta.url }))
  const own = Array.from({ length: 400 }, (_, n) => {
    const said = { text: 'Hello', channels: { whatsapp: { name: `other_${n % 2}`, language: 'de', parameters: [] } } }
    const languages = ['fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'sv', 'da']
    const locales = Object.fromEntries(languages.map((one) => [one, said]))
    return { slug: `own_${n}`, defaultLocale: 'en', ...said, locales }
  })
  await simulation.server.app.templates.apply(accountId, own)
  const startMs = performance.now()
  const list = await simulation.server.app.listProviderTemplates(accountId, 'wa-eu')
  expect(performance.now() - startMs).toBeLessThan(5000)
  expect(list.map(({ users }) => users.length).filter((count) => count > 0)).toEqual([200, 200])
  await meta.close()
})

it('a template of nothing but an open place and spaces is read at once', () => {
  const text = `{{${' '.repeat(65_000)}`
  const startMs = performance.now()
  expect([placesIn(text), withVariables(text, () => 'v1')]).toEqual([[], text])
  expect(placesIn('{{ 1 }} {{name\n}} {{1}}')).toEqual(['1', 'name'])
  expect(performance.now() - startMs).toBeLessThan(1000)
})
