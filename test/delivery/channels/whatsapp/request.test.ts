/** What WhatsApp is asked, to the byte. */
import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../../../../src/delivery/channel.ts'
import { buildAsking } from '../../../../src/delivery/channels/whatsapp/request.ts'
import { templateSettings } from '../../../../src/delivery/channels/whatsapp/template.ts'
import type { Content } from '../../../../src/domain/sending/content.ts'

const codeTemplate = { name: 'auth_copy_code', language: 'en_US' }

function outgoing(content: Content): Outgoing {
  return {
    ...{ accountId: 'acct_default', id: 'req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6', leg: 2, connection: 'wa-eu' },
    ...{ phone: '+15551234567', content, attempt: 1, expiresAt: null },
  }
}

/** @param whatsapp what the template says for WhatsApp */
function notification(variables: Record<string, string>, whatsapp: unknown): Outgoing {
  return outgoing({ kind: 'notification', template: 'shipped', variables, text: 'unused', channels: { whatsapp } })
}

function buildParameters(message: Outgoing): unknown {
  const asking = buildAsking(message, codeTemplate)
  if ('refused' in asking) return asking
  const [body] = (JSON.parse(asking.body) as { template: { components: { parameters: object[] }[] } }).template
    .components
  return body!.parameters
}

describe('WhatsApp is asked', () => {
  it("for a code: it stands in the text and in the button, whatever the brand's name", () => {
    const asking = buildAsking(outgoing({ kind: 'verification', code: '048291', brandName: 'Acme' }), codeTemplate)
    const body =
      '{"messaging_product":"whatsapp","recipient_type":"individual","to":"+15551234567","type":"template",' +
      '"biz_opaque_callback_data":"acct_default/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6/2",' +
      '"template":{"name":"auth_copy_code","language":{"policy":"deterministic","code":"en_US"},"components":[' +
      '{"type":"body","parameters":[{"type":"text","text":"048291"}]},' +
      '{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"048291"}]}]}}'
    expect(asking).toEqual({ template: 'auth_copy_code', body })
  })

  it.each([
    ['de', 'de'],
    ['de-CH', 'de'],
    ['pt-BR', 'pt_BR'],
    ['pt', 'pt_BR'],
    ['pt-PT', 'pt_BR'],
    ['en-GB', 'en_US'],
    ['zh-Hant', 'zh_TW'],
    ['zh-HK', 'zh_TW'],
    ['zh', 'zh_TW'],
    ['fr', 'en_US'],
    [undefined, 'en_US'],
  ])('for a code in a language that its template has, or else in the first: %s', (locale, language) => {
    const languages = ['en_US', 'de', 'pt_BR', 'zh_TW']
    const content = { kind: 'verification', code: '048291', ...(locale !== undefined && { locale }) } as const
    const asking = buildAsking(outgoing(content), { name: 'auth_copy_code', language: languages })
    expect(asking).toMatchObject({ body: expect.stringContaining(`"policy":"deterministic","code":"${language}"`) })
  })

  it('for a notification: its variables stand in the order that its template has for WhatsApp', () => {
    const settings = { name: 'order_shipped', language: 'de', parameters: ['order', 'name'] }
    const asking = buildAsking(notification({ name: 'Ada', order: '17', unused: 'x' }, settings), codeTemplate)
    const body =
      '{"messaging_product":"whatsapp","recipient_type":"individual","to":"+15551234567","type":"template",' +
      '"biz_opaque_callback_data":"acct_default/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6/2",' +
      '"template":{"name":"order_shipped","language":{"policy":"deterministic","code":"de"},"components":[' +
      '{"type":"body","parameters":[{"type":"text","text":"17"},{"type":"text","text":"Ada"}]}]}}'
    expect(asking).toEqual({ template: 'order_shipped', body })
  })

  it('for a notification without parameters: with no component at all', () => {
    const asking = buildAsking(notification({}, { name: 'hello', language: 'en' }), codeTemplate)
    const body =
      '{"messaging_product":"whatsapp","recipient_type":"individual","to":"+15551234567","type":"template",' +
      '"biz_opaque_callback_data":"acct_default/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6/2",' +
      '"template":{"name":"hello","language":{"policy":"deterministic","code":"en"}}}'
    expect(asking).toEqual({ template: 'hello', body })
  })
})

/** What a template's components are filled with. */
function buildComponents(variables: Record<string, string>, settings: object): unknown {
  const asking = buildAsking(
    notification(variables, { name: 'order_shipped', language: 'de', ...settings }),
    codeTemplate,
  )
  if ('refused' in asking) return asking
  return (JSON.parse(asking.body) as { template: { components?: object[] } }).template.components
}

describe('a template with a header, a body and buttons is filled', () => {
  const photo = 'https://acme.example/17.jpg'

  it('in the order of the documentation, each part in its own form', () => {
    const settings = {
      header: { image: '{{photo}}' },
      body: { customer: 'name', number: 'order' },
      buttons: [{ url: 'orders/{{order}}' }, {}, { quick_reply: 'order:{{order}}' }, { copy_code: '{{order}}' }],
    }
    expect(buildComponents({ name: 'Ada', order: '17', photo }, settings)).toEqual([
      { type: 'header', parameters: [{ type: 'image', image: { link: photo } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'customer', text: 'Ada' },
          { type: 'text', parameter_name: 'number', text: '17' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'orders/17' }] },
      { type: 'button', sub_type: 'quick_reply', index: '2', parameters: [{ type: 'payload', payload: 'order:17' }] },
      { type: 'button', sub_type: 'copy_code', index: '3', parameters: [{ type: 'coupon_code', coupon_code: '17' }] },
    ])
  })

  it.each([
    [{ text: 'Order {{x}}' }, '17', { type: 'text', text: 'Order 17' }],
    [{ text: '{{x}}', parameter: 'number' }, '17', { type: 'text', parameter_name: 'number', text: '17' }],
    [{ video: '{{x}}' }, '1013859600285441', { type: 'video', video: { id: '1013859600285441' } }],
    [{ document: '{{x}}' }, photo, { type: 'document', document: { link: photo } }],
    [
      { document: '{{x}}', filename: 'bill {{x}}.pdf' },
      '17',
      { type: 'document', document: { id: '17', filename: 'bill 17.pdf' } },
    ],
  ])('with the header %j', (header, x, parameter) => {
    expect(buildComponents({ x }, { header })).toEqual([{ type: 'header', parameters: [parameter] }])
  })

  it.each(['http://acme.example/17.jpg', 'https://', 'https://acme.example/a b', 'javascript:alert(1)', '17a'])(
    'but not with an image that is neither an https address nor an id: %s',
    (x) => {
      const refused = 'its image must be an https address, or the id of an upload to WhatsApp'
      expect(buildComponents({ x }, { header: { image: '{{x}}' } })).toEqual({ refused })
    },
  )

  it.each([
    [{ header: { text: '{{x}}' } }, 'its header is empty, which WhatsApp does not take'],
    [{ body: { customer: 'x' } }, 'variable x is empty, which WhatsApp does not take'],
    [{ buttons: [{}, { url: '{{x}}' }] }, 'its button 2 is empty, which WhatsApp does not take'],
  ])('but not where %j is empty', (settings, refused) => {
    expect(buildComponents({ x: ' ' }, settings)).toEqual({ refused })
  })

  it.each([
    [{ header: { document: '17', filename: '{{x}}' } }],
    [{ body: { customer: 'x' } }],
    [{ body: ['x'] }],
    [{ buttons: [{ copy_code: '{{x}}' }] }],
  ])('but not where %j needs a variable that is not there', (settings) => {
    const refused = { refused: 'the template has no variable x', template: 'order_shipped' }
    expect(buildComponents({ other: 'y' }, settings)).toEqual(refused)
  })
})

describe('a variable', () => {
  const settings = { name: 'order_shipped', language: 'de', parameters: ['text'] }

  it.each([
    ['a line break', 'one\ntwo', 'one two'],
    ['many of them, and a tab', 'one\r\n\r\n\ttwo', 'one two'],
    ['five spaces', 'one     two', 'one    two'],
    ['four spaces', 'one    two', 'one    two'],
    ['spaces at its ends', ' one ', 'one'],
    ['what looks like a place', '{{2}} "x" \\', '{{2}} "x" \\'],
  ])('with %s is written as WhatsApp takes it', (_title, text, written) => {
    expect(buildParameters(notification({ text }, settings))).toEqual([{ type: 'text', text: written }])
  })

  it.each(['', ' ', '\n'])('that is empty (%j) is not sent: WhatsApp would blame the template', (text) => {
    const refused = 'variable text is empty, which WhatsApp does not take'
    expect(buildParameters(notification({ text }, settings))).toEqual({ refused })
  })

  it('that its template does not have is a fault of the template', () => {
    for (const name of ['text', 'constructor']) {
      const refused = { refused: `the template has no variable ${name}`, template: 'order_shipped' }
      expect(buildParameters(notification({ other: 'x' }, { ...settings, parameters: [name] }))).toEqual(refused)
    }
  })
})

describe('what a template says for WhatsApp', () => {
  it.each([
    [undefined],
    [null],
    [{ name: 'x' }],
    [{ name: 'X', language: 'en' }],
    [{ name: 'x', language: 'English' }],
    [{ name: 'x', language: 'en-US' }],
    [{ name: 'x', language: 'en', parameters: ['1'] }],
    [{ name: 'x', language: 'en', parameters: 'name' }],
    [{ name: 'x', language: 'en', header: 'y' }],
    [{ name: 'x', language: 'en', header: {} }],
    [{ name: 'x', language: 'en', header: { image: 'y', video: 'y' } }],
    [{ name: 'x', language: 'en', header: { image: 'y', filename: 'y' } }],
    [{ name: 'x', language: 'en', header: { image: 'y', parameter: 'y' } }],
    [{ name: 'x', language: 'en', header: { image: '' } }],
    [{ name: 'x', language: 'en', body: 'y' }],
    [{ name: 'x', language: 'en', body: { 'A b': 'y' } }],
    [{ name: 'x', language: 'en', body: ['y'], parameters: ['y'] }],
    [{ name: 'x', language: 'en', buttons: [{ url: 'y', copy_code: 'y' }] }],
    [{ name: 'x', language: 'en', buttons: [{ call: 'y' }] }],
    [{ name: 'x', language: 'en', buttons: Array(11).fill({ url: 'y' }) }],
  ])('is not %j', (settings) => {
    expect(templateSettings.safeParse(settings).success).toBe(false)
    expect(buildAsking(notification({}, settings), codeTemplate)).toHaveProperty('refused')
  })

  it.each(['en', 'en_US', 'pt_BR', 'fil', 'zh_HK', 'es_419'])('may have the language %s', (language) => {
    expect(templateSettings.parse({ name: 'x', language })).toEqual({ name: 'x', language, parameters: [] })
  })
})
