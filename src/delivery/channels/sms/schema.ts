/** What a provider file may say: one schema for all of it. `docs/sms.md` explains each member to those who write one. */
import { isSupportedCountry } from 'libphonenumber-js/max'
import { z } from 'zod'
import { faultsOfForm } from '../../../kit/reading/formFaults.ts'
import { schemaWords } from '../../../kit/reading/wrongType.ts'
import {
  bounded,
  checked,
  nameForm as name,
  pointerForm as pointer,
  pointersForm as pointers,
  textForm as text,
} from '../../../mapping/forms.ts'
import { pointerFault } from '../../../mapping/pointer.ts'
import { zoneFault } from '../../../mapping/reportTime.ts'
import { signatureForm } from '../../../mapping/signatures/signatureForm.ts'
import type { DeliveryErrorCode } from '../../../store/schema/schema.ts'

const bounds = { settings: 32, headers: 32, rules: 200, values: 200, words: 1000, examples: 100 } as const

/** With placeholders. */
const template = text

/** Why a message failed, as far as a provider can tell. */
const failureCodes = [
  'not_on_channel',
  'opted_out',
  'unreachable',
  'country_blocked',
  'rejected_by_channel',
  'not_delivered',
] as const satisfies DeliveryErrorCode[]
const failureCode = z.enum(failureCodes, `must be one of ${failureCodes.join(', ')}`)

/** What the value of a setting can be made of. */
const valueForms = ['hex', 'digits', 'word', 'phone', 'sender', 'any_sender'] as const
const start = text.max(32, 'must have at most 32 characters')

const setting = z.strictObject({
  about: text.optional(),
  /** Sealed, and shown nowhere. */
  secret: z.boolean().default(false),
  optional: z.boolean().default(false),
  /** It may stand in the scheme, host and port of a URL. */
  host: z.boolean().default(false),
  /** What its value looks like, which is asked of whoever enters one. */
  begins: z.union([start, z.array(start).min(1).max(8)], 'must be a text, or a list of texts').optional(),
  length: z.int().min(1).max(4000).optional(),
  of: z.enum(valueForms, `must be one of ${valueForms.join(', ')}`).optional(),
  /** The only ones that it can have. */
  values: z.array(text.max(64)).min(2, 'must have two values or more').max(50).optional(),
  /** The setting that a connection with this one must have too. */
  needs: name.optional(),
  /** The same, where the value is a name and not a number. */
  name_needs: name.optional(),
})

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
/** They say how a request is sent, not what: the client writes them, and with another value it fails or reaches another server. */
const ownHeader = /^(host|content-length|transfer-encoding|connection|keep-alive|expect|upgrade|te|trailer|proxy-.*)$/i
const headerFault = (name: string) => {
  if (!headerName.test(name)) return 'must be the name of a header'
  return ownHeader.test(name) ? 'must be left out: the client sets this header itself' : undefined
}
const headers = bounded(z.record(text, template), bounds.headers).superRefine((value, context) => {
  for (const name of Object.keys(value)) {
    const message = headerFault(name)
    if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
  }
})

const sign = z.strictObject({
  scheme: z.enum(['hmac-sha256', 'sha256', 'sha1', 'md5'], 'must be hmac-sha256, sha256, sha1 or md5'),
  over: template,
  key: template.optional(),
  encode: z.enum(['hex', 'base64'], 'must be hex or base64').default('hex'),
  /** The header that it is sent in; or it stands somewhere as `{{signature}}`. */
  into: checked(text, headerFault).optional(),
})

const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false')
const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT'], 'must be GET, POST or PUT').default('POST'),
  url: template,
  headers: headers.default({}),
  auth: z.strictObject({ basic: z.tuple([template, template], 'must be a list of user and password') }).optional(),
  as: z.enum(['json', 'form', 'query', 'xml'], 'must be json, form, query or xml').default('json'),
  body: z
    .union([z.record(text, z.json()), z.array(z.json()).min(1)], 'must be a mapping or a list, and no text')
    .optional(),
  sign: sign.optional(),
})

/** Each value is compared as text. */
const comparison = z.union([scalar, z.array(scalar).min(1).max(bounds.values)], 'must be a value, or a list of values')

/** @param words members that are no pointers */
const toWhen = (words: readonly string[], fault: string) =>
  z
    .record(text, comparison)
    .refine((value) => Object.keys(value).length > 0, 'must have a member')
    .superRefine((value, context) => {
      for (const member of Object.keys(value)) {
        if (words.includes(member) || pointerFault(member) === undefined) continue
        context.addIssue({ code: 'custom', path: [member], message: fault })
      }
    })
const when = toWhen(['status', 'text'], 'must be status, text or a JSON Pointer')
const pointerWhen = toWhen([], 'must be a JSON Pointer')

/** Why a provider refuses a connection as a whole. */
export const downReasons = ['credentials', 'balance', 'suspended', 'sender', 'permission'] as const

const rule = z
  .strictObject({
    when,
    is: z.enum(['sent', 'retry', 'failed', 'down', 'unknown'], 'must be sent, retry, failed, down or unknown'),
    code: failureCode.optional(),
    /** What the operator has to look at. */
    why: z.enum(downReasons, `must be one of ${downReasons.join(', ')}`).optional(),
  })
  .refine(({ is, why }) => is === 'down' || why === undefined, 'a why goes with down')
  .refine(
    ({ is, code }) => (is === 'failed') === (code !== undefined),
    'a code goes with failed, and failed with a code',
  )

const answer = z.strictObject({
  as: z.enum(['json', 'form', 'text', 'xml'], 'must be json, form, text or xml').default('json'),
  id: pointers.optional(),
  error: pointers.optional(),
  price: z
    .strictObject({
      amount: pointer,
      currency: z.union([pointer, text.regex(/^[A-Z]{3}$/)], 'must be a currency like EUR, or a JSON Pointer to it'),
    })
    .optional(),
  /** `header`, or where the answer has the seconds. */
  retry_after: z
    .union([z.literal('header'), pointer], 'must be header, or a JSON Pointer to the seconds')
    .default('header'),
  rules: z.array(rule).min(1, 'must have a rule').max(bounds.rules, `must have at most ${bounds.rules} rules`),
})

const zone = checked(text, zoneFault)

const report = z.strictObject({
  as: z.enum(['json', 'form', 'query', 'xml'], 'must be json, form, query or xml'),
  /** To a text that is JSON itself: the pointers below lead into that. */
  embedded: pointer.optional(),
  /** To a list, each of which tells of a message; left out, the whole, which may be a list itself. */
  each: pointer.optional(),
  /** To a list in each of those; what is around it, is under `/outer`. */
  inner: pointer.optional(),
  id: pointers.optional(),
  /** To what we gave as `{{reference}}`. */
  reference: pointers.nullish(),
  status: pointer,
  at: pointer.optional(),
  /** Of times that name none; UTC when left out. */
  zone: zone.optional(),
  error: pointers.optional(),
  price: answer.shape.price,
  /** Where each SMS of a long text is reported by itself: what tells it from the others, and how many there are. */
  parts: z.strictObject({ id: pointers, of: pointers.optional() }).optional(),
  map: words(z.enum(['sent', 'delivered', 'read', 'failed'], 'must be sent, delivered, read or failed')),
  codes: words(z.enum([...failureCodes, 'down'], `must be one of ${[...failureCodes, 'down'].join(', ')}`)).default({}),
  signature: signatureForm,
  /** Seconds in which the first report of each message comes, whatever becomes of it: without any, the connection rests. */
  within: z.int().min(30).max(3600).optional(),
})

const country = text.refine(isSupportedCountry, 'must be a two-letter country code (ISO 3166-1), like DE')

/** What people answer: it comes as reports do, among them or by itself. */
const inbound = z.strictObject({
  /** What else a reply has, and a report has not. */
  when: pointerWhen.optional(),
  id: pointers.optional(),
  from: pointers,
  /** The number to which the reply was sent: a `from` without a country code is read as a number of its country. */
  to: pointers.optional(),
  text: pointers,
  at: pointers.optional(),
  /** Where the provider itself says what a reply means, and with which words. */
  flag: z.strictObject({ at: pointer, stop: comparison, start: comparison }).optional(),
})

/** Where the answer says when a phone that sends was heard of: one that is off takes messages, and sends none. */
const heartbeat = z.strictObject({
  /** To a list of phones: the one that was heard of last counts. Left out, the whole, which may be a list itself. */
  each: pointer.optional(),
  /** Those of the list that are meant, by what each has. */
  only: z
    .record(
      checked(text, (name) => pointerFault(name)),
      template,
    )
    .optional(),
  at: pointers,
  /** Seconds after which a phone that was not heard of is taken to be off. */
  within: z.int().min(60).max(604_800),
})

/** Asks whether what is configured is good, without sending. */
const probe = request.extend({
  method: request.shape.method.default('GET'),
  balance: pointer.optional(),
  heartbeat: heartbeat.optional(),
})

/** Fetched before a message: `as` is how its request is written, and its answer is XML with `xml`, and JSON else. */
const token = request.extend({
  as: request.shape.as.default('form'),
  value: pointers,
  /** To the seconds that it is good for. */
  expires_in: pointer.optional(),
})

const shown = z.union([text, z.number()]).transform(String)
const price = z.strictObject({ amount: shown, currency: text })

const answerExample = z.strictObject({
  about: text.optional(),
  answer: z.strictObject({
    status: z.int().min(100).max(599),
    headers: z.record(text, text).default({}),
    body: z.json().optional(),
  }),
  is: z.strictObject({
    kind: rule.shape.is,
    id: shown.optional(),
    code: failureCode.optional(),
    error: shown.optional(),
    why: rule.shape.why,
    retry_after: z.number().optional(),
    price: price.optional(),
  }),
})

const reportExample = z.strictObject({
  about: text.optional(),
  report: z.strictObject({ headers: z.record(text, text).default({}), body: z.json() }),
  gives: z.array(
    z.strictObject({
      id: shown.optional(),
      reference: shown.optional(),
      status: z.enum(['sent', 'delivered', 'read', 'failed']).optional(),
      /** In place of a status, what a person answered, and who did. */
      reply: z.enum(['stop', 'start', 'other'], 'must be stop, start or other').optional(),
      from: shown.optional(),
      code: z.enum([...failureCodes, 'down'], `must be one of ${[...failureCodes, 'down'].join(', ')}`).optional(),
      error: shown.optional(),
      at: text.optional(),
      price: price.optional(),
      part: shown.optional(),
      of: shown.optional(),
    }),
  ),
})

/** Which of both is meant, one member says. */
const example = z.unknown().transform((value, context) => {
  const form = typeof value === 'object' && value !== null && 'report' in value ? reportExample : answerExample
  const { data, error } = form.safeParse(value, { error: schemaWords })
  for (const { path, fault } of faultsOfForm(error, value))
    context.addIssue({ code: 'custom', path: [...path], message: fault })
  return data ?? z.NEVER
})

export const providerFile = z.strictObject({
  provider: text.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits, "-" and "_"'),
  title: text.max(60, 'must have at most 60 characters'),
  settings: bounded(
    z.record(
      name,
      setting.nullable().transform((one) => one ?? setting.parse({})),
    ),
    bounds.settings,
  ),
  /** Settings of which a connection has one at least. */
  one_of: z.array(name).min(2, 'must name two settings or more').max(bounds.settings).optional(),
  /** The only ones whose phones it takes. A number that names no country, in a reply, is of one of them. */
  countries: z.array(country).min(1, 'must have a country, or be left out for all').max(250).optional(),
  request,
  answer,
  report: report.optional(),
  inbound: inbound.optional(),
  probe: probe.optional(),
  token: token.optional(),
  examples: z.array(example).max(bounds.examples).default([]),
})

/** What a provider's word means, by that word. */
function words<Meaning extends z.ZodType>(meaning: Meaning) {
  return bounded(z.record(text, meaning), bounds.words)
}

/** A provider, as its file says. */
export type ProviderFile = z.infer<typeof providerFile>
