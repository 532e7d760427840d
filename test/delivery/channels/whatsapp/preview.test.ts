import { describe, expect, it } from 'vitest'
import { fillForWhatsapp } from '../../../../src/delivery/channels/whatsapp/components.ts'

const own = { name: 'order_shipped', language: 'en_US' }
const placesOf = (said: object, variables: Record<string, string>) => {
  const filled = fillForWhatsapp({ ...own, ...said }, variables)
  return 'refused' in filled ? filled.refused : filled.places
}

describe('the preview of a WhatsApp template', () => {
  it('shows every place with what fills it: header, body in order, and buttons', () => {
    const said = {
      parameters: ['name', 'order'],
      header: { image: '{{photo}}' },
      buttons: [{ url: 'track/{{order}}' }, {}, { quick_reply: 'order:{{order}}' }, { copy_code: '{{name}}5' }],
    }
    const variables = { name: 'Ada', order: '1042', photo: 'https://acme.com/1.png' }
    expect(fillForWhatsapp({ ...own, ...said }, variables)).toEqual({
      ...own,
      places: [
        { part: 'header', name: undefined, value: 'https://acme.com/1.png' },
        { part: 'body', name: undefined, value: 'Ada' },
        { part: 'body', name: undefined, value: '1042' },
        { part: 'button', name: undefined, value: 'track/1042' },
        { part: 'button', name: undefined, value: 'order:1042' },
        { part: 'button', name: undefined, value: 'Ada5' },
      ],
    })
  })

  it('shows named places by the names that WhatsApp has for them', () => {
    const said = { body: { customer: 'name' }, header: { text: 'Order {{order}}', parameter: 'order_number' } }
    expect(placesOf(said, { name: 'Ada', order: '1042' })).toEqual([
      { part: 'header', name: 'order_number', value: 'Order 1042' },
      { part: 'body', name: 'customer', value: 'Ada' },
    ])
  })

  it('shows values as they are mended: on one line, with at most four spaces in a row', () => {
    const variables = { name: '  Ada\r\n\tLovelace\u2028', order: `10${' '.repeat(9)}42` }
    expect(placesOf({ parameters: ['name', 'order'] }, variables)).toMatchObject([
      { value: 'Ada Lovelace' },
      { value: '10    42' },
    ])
  })

  it('shows a header that is an upload to WhatsApp by its id', () => {
    expect(placesOf({ header: { document: '{{file}}', filename: 'a.pdf' } }, { file: '1234567890' })).toEqual([
      { part: 'header', name: undefined, value: '1234567890' },
    ])
  })

  it.each([
    ['of a body', { parameters: ['name'] }, 'variable name is empty, which WhatsApp does not take'],
    ['of a header', { header: { text: '{{name}}' } }, 'its header is empty, which WhatsApp does not take'],
    ['of a button', { buttons: [{}, { url: '{{name}}' }] }, 'its button 2 is empty, which WhatsApp does not take'],
  ])('says that an empty value %s stops it, also one of blanks alone', (_place, said, reason) => {
    expect(placesOf(said, { name: '' })).toBe(reason)
    expect(placesOf(said, { name: ' \n ' })).toBe(reason)
  })

  it('says that a picture must be an https address or an upload', () => {
    const reason = 'its image must be an https address, or the id of an upload to WhatsApp'
    for (const photo of ['http://acme.com/1.png', 'https://', 'javascript:alert(1)', 'my picture'])
      expect(placesOf({ header: { image: '{{photo}}' } }, { photo })).toBe(reason)
  })

  it('says that a language has no template of WhatsApp', () => {
    expect(fillForWhatsapp(undefined, {})).toEqual({ refused: 'the template says nothing for WhatsApp' })
  })
})
