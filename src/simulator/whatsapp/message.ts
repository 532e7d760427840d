/** Reads a message as strictly as the Cloud API does. */
import { z } from 'zod'
import { type Incoming, parseJson } from '../reply.ts'
import { bodyOf, fill, placeNames, type Template, type Templates } from './templates.ts'

export interface ReadMessage {
  to: string
  reference: string | undefined
  content: { code?: string; template: string; language: string; parameters: string[]; text: string }
}

/** A code of the Graph API, and what it says. */
export interface Fault {
  fault: string
  details?: string | undefined
  /** Set where at least that was understood. */
  to?: string
}

const words = z.string().min(1).max(1024)
const textParameter = z.strictObject({ type: z.literal('text'), parameter_name: words.optional(), text: words })
const media = z.union([
  z.strictObject({ link: z.url({ protocol: /^https?$/ }), filename: words.optional() }),
  z.strictObject({ id: z.string().regex(/^\d+$/), filename: words.optional() }),
])
const headerParameter = z.discriminatedUnion('type', [
  textParameter,
  z.strictObject({ type: z.literal('image'), image: media }),
  z.strictObject({ type: z.literal('video'), video: media }),
  z.strictObject({ type: z.literal('document'), document: media }),
])
const place = { type: z.literal('button'), index: z.string().regex(/^\d$/) }
const button = z.discriminatedUnion('sub_type', [
  z.strictObject({ ...place, sub_type: z.literal('url'), parameters: z.array(textParameter).min(1) }),
  z.strictObject({
    ...place,
    sub_type: z.literal('quick_reply'),
    parameters: z.tuple([z.strictObject({ type: z.literal('payload'), payload: words })]),
  }),
  z.strictObject({
    ...place,
    sub_type: z.literal('copy_code'),
    parameters: z.tuple([z.strictObject({ type: z.literal('coupon_code'), coupon_code: words.max(15) })]),
  }),
])
const component = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), parameters: z.tuple([headerParameter]) }),
  z.strictObject({ type: z.literal('body'), parameters: z.array(textParameter) }),
  button,
])
const template = z.strictObject({
  name: z.string(),
  language: z.strictObject({ policy: z.literal('deterministic').optional(), code: z.string() }),
  components: z.array(component).default([]),
})
const form = z.object({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').optional(),
  to: z.string().regex(/^\+?[1-9]\d{6,14}$/),
  type: z.literal('template'),
  biz_opaque_callback_data: z.string().max(512).optional(),
  template,
})
type Sent = z.infer<typeof template>

/** Meta does not take a client that says nothing of its version. */
const versioned = /[\w.-]+\/v?\d+(\.\d+)*/
/** Of a code; WhatsApp shows no longer one. */
const codeForm = /^[\w-]{1,15}$/
const unfit = /[\n\r\t]| {5}/

export function readMessage({ headers, body }: Incoming, templates: Templates): ReadMessage | Fault {
  if (!versioned.test(headers['user-agent'] ?? '')) return fault('100', 'The header User-Agent must name a version')
  const { data, error } = form.safeParse(parseJson(body))
  if (error) return unread(error)
  const { to, template: sent, biz_opaque_callback_data: reference } = data
  const known = templates.find(sent.name, sent.language.code)
  const found = known ? toContent(sent, known) : unknown(sent)
  return 'fault' in found ? { ...found, to } : { to, reference, content: found }
}

function toContent(sent: Sent, known: Template): ReadMessage['content'] | Fault {
  if (known.status === 'PAUSED') return fault('132015')
  if (known.status === 'DISABLED') return fault('132016')
  if (known.status !== 'APPROVED') return unknown(sent)
  const body = bodyOfSent(sent, known)
  if ('fault' in body) return body
  if (known.category === 'AUTHENTICATION') return toCode(sent, body)
  const header = headerLine(sent, known)
  if (!Array.isArray(header)) return header
  const buttons = buttonLines(sent, known)
  return Array.isArray(buttons) ? { ...body, text: [...header, body.text, ...buttons].join('\n') } : buttons
}

const unfitText = 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces'

function bodyOfSent(sent: Sent, known: Template): ReadMessage['content'] | Fault {
  const given = sent.components.flatMap((one) => (one.type === 'body' ? one.parameters : []))
  const places = placeNames(bodyOf(known))
  if (given.length !== places.length) {
    const details = `body: number of localizable_params (${given.length}) does not match the expected number of params (${places.length})`
    return fault('132000', details)
  }
  const parameters = given.map(({ text }) => text)
  if (parameters.some((text) => unfit.test(text))) return fault('132018', unfitText)
  const misnamed = given.find(({ parameter_name: name }) => !isNamedFor(places, name))
  if (misnamed) return fault('100', 'body: Parameter name is missing or empty, or is not one of the template')
  const values = Object.fromEntries(
    given.map(({ parameter_name: name = '', text }, index) => [name || index + 1, text]),
  )
  const text = fill(bodyOf(known), values)
  return { template: known.name, language: known.language, parameters, text }
}

function isNamed(places: readonly string[]): boolean {
  return places.some((place) => !/^\d+$/.test(place))
}

function isNamedFor(places: readonly string[], name: string | undefined): boolean {
  return isNamed(places) ? name !== undefined && places.includes(name) : name === undefined
}

/** @returns what the phone shows above the body, or what is wrong with it */
function headerLine(sent: Sent, { header }: Template): string[] | Fault {
  const [given, ...others] = sent.components.flatMap((one) => (one.type === 'header' ? one.parameters : []))
  if (others.length > 0) return fault('132000', 'header: takes one parameter')
  const [place] = placeNames(header?.text)
  const wanted = header && (header.format !== 'TEXT' || place !== undefined) ? header.format : undefined
  if (given?.type.toUpperCase() !== wanted) {
    return fault(
      '132012',
      `header: Format mismatch, expected ${wanted ?? 'no parameter'}, received ${given?.type ?? 'nothing'}`,
    )
  }
  if (given === undefined) return header?.text === undefined ? [] : [header.text]
  if (given.type === 'text') {
    if (!isNamedFor([place!], given.parameter_name))
      return fault('100', 'header: Parameter name is not that of the template')
    return unfit.test(given.text) ? fault('132018', unfitText) : [fill(header!.text!, { [place!]: given.text })]
  }
  const media = given.type === 'image' ? given.image : given.type === 'video' ? given.video : given.document
  return [`[${given.type} ${'link' in media ? media.link : media.id}]`]
}

/** @returns what the phone shows below the body, or what is wrong with it */
function buttonLines(sent: Sent, { buttons = [] }: Template): string[] | Fault {
  const given = sent.components.filter((one) => one.type === 'button')
  const unknown = given.find(({ index, sub_type: type }) => buttons[Number(index)]?.type !== type.toUpperCase())
  if (unknown)
    return fault('132012', `Button at index ${unknown.index}: the template has none of type ${unknown.sub_type}`)
  const lines: string[] = []
  for (const [index, { type, text, url = '' }] of buttons.entries()) {
    const own = given.find((one) => Number(one.index) === index)
    const [place] = placeNames(url)
    if ((type === 'COPY_CODE' || place !== undefined) && own === undefined)
      return fault('131008', `Button at index ${index} of type ${type} requires a parameter`)
    if (type === 'URL' && place === undefined && own !== undefined)
      return fault('132012', `Button at index ${index} takes no parameter`)
    const value = own && valueOfButton(own)
    lines.push(
      `[${[text, type === 'URL' ? fill(url, { [place ?? '']: value ?? '' }) : value].filter((one) => one).join(' ')}]`,
    )
  }
  return lines
}

type SentButton = Extract<Sent['components'][number], { type: 'button' }>

function valueOfButton(button: SentButton): string {
  if (button.sub_type === 'url') return button.parameters[0]!.text
  return button.sub_type === 'copy_code' ? button.parameters[0].coupon_code : button.parameters[0].payload
}

function toCode(sent: Sent, content: ReadMessage['content']): ReadMessage['content'] | Fault {
  const [code = ''] = content.parameters
  const onButtons = sent.components.flatMap((one) => (one.type === 'button' ? [one] : []))
  const [onButton, ...others] = onButtons.flatMap((one) =>
    one.sub_type === 'url' ? one.parameters.map(({ text }) => text) : [],
  )
  if (onButton === undefined) return fault('131008', 'Button at index 0 of type Url requires a parameter')
  if (others.length > 0) return fault('132000', 'Button at index 0 of type Url takes one parameter')
  if (onButton !== code) return fault('132012', 'The code of the button is not the code of the body')
  if (!codeForm.test(code)) return fault('132012', 'A code has at most 15 letters and digits')
  return { ...content, code }
}

function unknown({ name, language }: Sent): Fault {
  return fault('132001', `template name (${name}) does not exist in ${language.code}`)
}

function fault(code: string, details?: string): Fault {
  return { fault: code, details }
}

/** What has not the form of a message; of one that is no template, in Meta's own way. */
function unread({ issues: [first] }: z.ZodError): Fault {
  const place = first?.path.join('.') ?? ''
  if (place === 'type')
    return fault('131047', 'More than 24 hours after the last message of a person, only templates go')
  const isMissing = place !== '' && first?.message.endsWith('received undefined')
  return fault(isMissing ? '131008' : '100', `Param ${place || 'body'}: ${first?.message}`)
}
