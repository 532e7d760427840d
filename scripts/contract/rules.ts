/**
 * The rules of this API that Redocly's own cannot say: the envelope, the list of error codes, units, and what every value
 * of a list means. Redocly loads this file (see redocly.yaml) and names the line of what breaks a rule.
 */
import { eventsOf, requireSignature, requireThinness, requireTypes } from './eventRules.ts'
import { listRules, requireWordsOnGrowth } from './lists.ts'
import { type Context, follow, type Json, type Location } from './walk.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const numbers = ['integer', 'number']
const units =
  /\b(milliseconds?|seconds?|minutes?|hours?|days?|digits?|characters?|bytes?|how many|number of|percent)\b/i

export default () => ({
  id: 'watchword',
  typeExtension: {
    oas3: (types: Record<string, { properties: Json }>) => ({
      ...types,
      Root: {
        ...types.Root,
        properties: { ...types.Root?.properties, 'x-webhook-event': 'Schema', 'x-error-response': 'Schema' },
      },
    }),
  },
  rules: {
    oas3: {
      'every-answer-is-in-the-envelope': () => ({ Root: { enter: requireEnvelope } }),
      'error-codes-come-from-the-list': () => ({ Root: { enter: requireListedCodes } }),
      'numbers-name-their-unit': () => ({
        Schema: { enter: requireUnit },
        Parameter: { enter: requireUnitOutside },
        Header: { enter: requireUnitOutside },
      }),
      'answers-and-events-have-examples': () => ({ Root: { enter: requireExamples } }),
      'every-answer-names-its-request': () => ({ Root: { enter: requireTraceId } }),
      'every-value-of-a-list-is-explained': () => ({ Schema: { enter: requireMeanings } }),
      'a-list-that-may-grow-says-so': () => ({ Schema: { enter: requireWordsOnGrowth } }),
      'every-event-is-told-by-its-type': () => ({ Root: { enter: requireTypes } }),
      'every-event-is-signed': () => ({ Root: { enter: requireSignature } }),
      'events-tell-no-secret': () => ({ Root: { enter: requireThinness } }),
    },
  },
  diff: { oas3: listRules },
})

function requireEnvelope(root: Json, context: Context): void {
  for (const { status, content, location } of answersOf(root, context)) {
    const schema = follow(context, content.schema, location.child(['schema']))
    const { required, properties } = schema.node as { required?: string[]; properties?: Json }
    const wanted = Number(status) < 400
    const success = follow(context, properties?.success, schema.location).node
    const data = follow(context, properties?.data, schema.location).node
    const isEnvelope =
      schema.node.type === 'object' &&
      ['success', 'data'].every((name) => required?.includes(name)) &&
      success.type === 'boolean' &&
      isAlways(wanted, success) &&
      (data.type === 'object' || Array.isArray(data.oneOf))
    if (isEnvelope) continue
    const message = `the answer ${status} must be an object with the required fields success, a boolean with x-always: ${wanted}, and data, an object`
    context.report({ message, location: schema.location })
  }
}

function isAlways(wanted: boolean, { 'x-always': always, enum: values, const: constant }: Json): boolean {
  // OpenAPI 3.1 writes a list of one value as a constant.
  return always === wanted || JSON.stringify(values ?? [constant]) === JSON.stringify([wanted])
}

function requireExamples(root: Json, context: Context): void {
  const answers = answersOf(root, context).map(({ status, ...answer }) => ({ name: `the answer ${status}`, ...answer }))
  for (const { name: what, content, location } of [...answers, ...eventsOf(root, context)]) {
    const examples = Object.entries((content.examples ?? {}) as Json)
    if (examples.length === 0) context.report({ message: `${what} has named examples`, location })
    for (const [name, example] of examples) {
      const { node, location: at } = follow(context, example, location.child(['examples', name]))
      if (!/^[^|\n]+$/.test(String(node.summary ?? ''))) {
        context.report({ message: `the example ${name} has a summary of one line, without |`, location: at })
      }
    }
  }
}

function requireTraceId(root: Json, context: Context): void {
  for (const { status, headers, location } of answersOf(root, context)) {
    if ('X-Trace-Id' in headers) continue
    context.report({ message: `the answer ${status} has the header X-Trace-Id`, location })
  }
}

function requireListedCodes(root: Json, context: Context): void {
  const list = follow(context, { $ref: '#/components/schemas/ErrorCode' }, context.location)
  const codes = (list.node.enum ?? []) as string[]
  const statuses = (list.node['x-statuses'] ?? {}) as Record<string, number>
  const unlisted = [
    ...codes.filter((code) => !(code in statuses)),
    ...Object.keys(statuses).filter((code) => !codes.includes(code)),
  ]
  for (const code of unlisted) {
    context.report({ message: `${code} must be both in enum and in x-statuses`, location: list.location })
  }
  for (const { status, content, location } of answersOf(root, context)) {
    if (Number(status) < 400) continue
    for (const [name, example] of Object.entries((content.examples ?? {}) as Json)) {
      const { node, location: at } = follow(context, example, location.child(['examples', name]))
      const code = (node.value as { data?: { code?: string } } | undefined)?.data?.code ?? ''
      const report = (message: string) => context.report({ message, location: at })
      if (!codes.includes(code)) report(`"${code}" is not in the list of error codes, components/schemas/ErrorCode`)
      else if (statuses[code] !== Number(status)) report(`${code} is answered ${statuses[code]}, not ${status}`)
      else if (name !== code && !name.startsWith(`${code}_`))
        report(`an example of an error is named by its code: ${code}, not ${name}`)
    }
  }
}

function requireUnit({ type, description }: Json, context: Context): void {
  // What a parameter, a header or one of several forms is, stands beside its schema or above it.
  if (!isDescribedOutside(context.location)) requireUnitOf(type, description, context)
}

/** Of a parameter or a header. */
function requireUnitOutside({ schema, description }: Json, context: Context): void {
  requireUnitOf(follow(context, schema, context.location).node.type, description, context)
}

function requireUnitOf(type: unknown, description: unknown, { report, location }: Context): void {
  if (!numbers.includes(String(type)) || units.test(String(description ?? ''))) return
  report({ message: 'the description of a number says what it counts (seconds, digits, how many …)', location })
}

function isDescribedOutside({ pointer }: Location): boolean {
  return /\/(parameters|headers)\/[^/]+\/schema$|\/(anyOf|oneOf|allOf)\/\d+$/.test(pointer)
}

function requireMeanings({ enum: values, description }: Json, context: Context): void {
  if (!Array.isArray(values) || values.length < 2) return
  const codes = follow(context, { $ref: '#/components/schemas/ErrorCode' }, context.location).node
  // What a code means stands once, whatever operations answer it.
  const explained = [
    ...explainedIn(description),
    ...(/`ErrorCode`/.test(String(description)) ? explainedIn(codes.description) : []),
  ]
  const missing = values.filter((value) => !explained.includes(String(value)))
  if (missing.length === 0) return
  context.report({
    message: `the description has a line "* \`value\`: what it means" for each value, also for ${missing.join(', ')}`,
    location: context.location.child(['enum']),
  })
}

/** In a line for each, `* \`value\`: what it means`. */
function explainedIn(description: unknown): string[] {
  return String(description)
    .split('\n')
    .filter((line) => line.startsWith('* '))
    .flatMap((line) => Array.from(line.split(':')[0]!.matchAll(/`(.+?)`/g), ([, value]) => value!))
}

interface DocumentedAnswer {
  status: string
  headers: Json
  content: Json
  /** Of its content. */
  location: Location
}

/** The JSON of every answer of every operation, with the place where it stands. */
function answersOf(root: Json, context: Context): DocumentedAnswer[] {
  const found: DocumentedAnswer[] = []
  for (const [path, item] of Object.entries((root.paths ?? {}) as Json)) {
    const at = follow(context, item, context.location.child(['paths', path]))
    for (const method of methods) {
      const operation = (at.node[method] ?? {}) as { responses?: Json }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const { node, location } = follow(context, response, at.location.child([method, 'responses', status]))
        const json = (node.content as Json | undefined)?.['application/json']
        if (json === undefined) context.report({ message: `the answer ${status} has no application/json`, location })
        else {
          const at = location.child(['content', 'application/json'])
          found.push({ status, headers: (node.headers ?? {}) as Json, content: json as Json, location: at })
        }
      }
    }
  }
  return found
}
