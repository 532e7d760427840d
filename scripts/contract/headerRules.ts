/** What the headers of an answer have to be, so that the service can send them. */
import { ownHeaders } from '../../src/contract/facts.ts'
import { ajv } from './ajv.ts'
import { listResponses, operationsIn } from './answers.ts'
import { transport } from './headers.ts'
import { type Context, follow, type Json } from './walk.ts'

/** Given by the service, whatever a handler does: with every answer, or with those that refuse. */
const given: readonly string[] = [...ownHeaders, 'Retry-After', 'WWW-Authenticate', 'Allow'].map((name) =>
  name.toLowerCase(),
)

/** RFC 9110, 5.6.2 and 5.6.7. */
const token = /^[\w!#$%&'*+.^`|~-]+$/
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const httpDateWords = 'an HTTP date, like Thu, 31 Dec 2026 23:59:59 GMT'
const forms: Readonly<Record<string, [form: RegExp, words: string]>> = {
  deprecation: [/^@\d+$/, '@ and the seconds since 1970, like @1767139200 (RFC 9745)'],
  expires: [httpDate, httpDateWords],
  'last-modified': [httpDate, httpDateWords],
  sunset: [httpDate, `${httpDateWords} (RFC 8594)`],
}

/** The visitor of the whole contract. */
export function requireSendableHeaders(root: Json, context: Context): void {
  const seen = new Set<string>()
  for (const operation of operationsIn(root, context)) {
    for (const { status, node, location } of listResponses(operation, context)) {
      for (const [name, header] of Object.entries((node.headers ?? {}) as Json)) {
        const found = follow(context, header, location.child(['headers', name]))
        const place = `${name} ${status[0]} ${found.location.absolutePointer}`
        if (given.includes(name.toLowerCase()) || seen.has(place)) continue
        seen.add(place)
        const schema = follow(context, found.node.schema, found.location.child(['schema'])).node
        for (const fault of findFaults(name, { header: found.node, schema, status }))
          context.report({ message: `the header ${name} ${fault}`, location: found.location })
      }
    }
  }
}

function findFaults(
  name: string,
  { header, schema, status }: { header: Json; schema: Json; status: string },
): readonly string[] {
  const lowerCase = name.toLowerCase()
  if (!token.test(name)) return ['is no name of a header: letters, digits and - are']
  if (transport.includes(lowerCase) || lowerCase === 'set-cookie')
    return ['cannot be declared: it says how the answer travels, and the service writes it']
  if (!['string', 'integer', 'number'].includes(String(schema.type)))
    return ['needs the type string, integer or number: it is one text on the wire']
  const values = (schema.enum ?? []) as unknown[]
  if (!status.startsWith('2') && !(header.required === true && values.length === 1))
    return ['of a refusal has to be required, with an enum of one value: no handler gives it']
  const example = header.example ?? schema.example ?? (values.length === 1 ? values[0] : undefined)
  if (example === undefined) return ['needs an example: mocks send it']
  const [form, words] = forms[lowerCase] ?? [/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'printable ASCII']
  const wrong = [example, ...values].find((value) => !form.test(String(value)))
  if (wrong !== undefined) return [`cannot be ${wrong}: it is ${words}`]
  if (schema.format === 'date-time' && lowerCase in forms)
    return [`cannot have the format date-time: it is ${forms[lowerCase]![1]}`]
  return ajv.validate(schema, example) ? [] : [`has an example that its schema refuses: ${ajv.errorsText()}`]
}
