/** Reads a message as strictly as the Cloud API does. */
import { z } from 'zod'
import { type Incoming, jsonOf } from '../reply.ts'
import { fill, parametersOf, type Template, type Templates } from './templates.ts'

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

const parameter = z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(1024) })
const component = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('body'), parameters: z.array(parameter) }),
  z.strictObject({
    type: z.literal('button'),
    sub_type: z.literal('url'),
    index: z.string().regex(/^\d$/),
    parameters: z.array(parameter),
  }),
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
  const { data, error } = form.safeParse(jsonOf(body))
  if (error) return unread(error)
  const { to, template: sent, biz_opaque_callback_data: reference } = data
  const known = templates.find(sent.name, sent.language.code)
  const found = known ? contentOf(sent, known) : unknown(sent)
  return 'fault' in found ? { ...found, to } : { to, reference, content: found }
}

function contentOf(sent: Sent, known: Template): ReadMessage['content'] | Fault {
  if (known.status === 'PAUSED') return fault('132015')
  if (known.status === 'DISABLED') return fault('132016')
  if (known.status !== 'APPROVED') return unknown(sent)
  const parameters = textsOf(sent, 'body')
  const expected = parametersOf(known)
  if (parameters.length !== expected) {
    const details = `body: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected})`
    return fault('132000', details)
  }
  if (parameters.some((text) => unfit.test(text))) {
    return fault('132018', 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces')
  }
  const content = { template: known.name, language: known.language, parameters, text: fill(known, parameters) }
  if (known.category !== 'AUTHENTICATION') {
    const hasButton = sent.components.some(({ type }) => type === 'button')
    return hasButton ? fault('132012', 'The template has no button that takes a parameter') : content
  }
  const [code = ''] = parameters
  const [onButton, ...others] = textsOf(sent, 'button')
  if (onButton === undefined) return fault('131008', 'Button at index 0 of type Url requires a parameter')
  if (others.length > 0) return fault('132000', 'Button at index 0 of type Url takes one parameter')
  if (onButton !== code) return fault('132012', 'The code of the button is not the code of the body')
  if (!codeForm.test(code)) return fault('132012', 'A code has at most 15 letters and digits')
  return { ...content, code }
}

function textsOf({ components }: Sent, type: 'body' | 'button'): string[] {
  return components.filter((one) => one.type === type).flatMap((one) => one.parameters.map(({ text }) => text))
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
