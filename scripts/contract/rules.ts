/**
 * The rules of this API that Redocly's own cannot say: the envelope, the list of error codes, units, and what every value
 * of a list means. Redocly loads this file (see redocly.yaml) and names the line of what breaks a rule.
 */
import { answersIn, bodiesIn } from './answers.ts'
import { requireConstant, requireConstantExamples } from './constantRules.ts'
import { requireFittingDefault } from './defaultRules.ts'
import { requireCodesOfAny, requireListedCodes } from './errorRules.ts'
import { listEvents, requireSignature, requireThinness, requireTypes } from './eventRules.ts'
import { requireSendableHeaders } from './headerRules.ts'
import { listRules, requireWordsOnGrowth } from './lists.ts'
import { looserRules } from './looser.ts'
import { requireJson } from './mediaRules.ts'
import { requireKnownLinks, requireKnownTags } from './nameRules.ts'
import { asOpenApi30 } from './openapi31.ts'
import { requirePairs } from './pairRules.ts'
import { requireNamesApart, requireOwnedAddresses, requirePortableSchema } from './portableRules.ts'
import { promiseRules } from './promised.ts'
import { onceWhole, requireReferences } from './references.ts'
import {
  requireClosedRequests,
  requireKeys,
  requireKnownExclusions,
  requireKnownFormat,
  requireParameters,
  requireRepeatable,
  requireSnakeCase,
} from './requestRules.ts'
import { requireTrueSizes } from './sizeRules.ts'
import { requireKnownSteps } from './storyRules.ts'
import { unionRules } from './unions.ts'
import { requireFormOfRoot, requireFormOfSchema, requireVersion } from './versionRules.ts'
import { type Context, follow, type Json, type Location, namedSchemas } from './walk.ts'

const numbers = ['integer', 'number']
const units =
  /\b(milliseconds?|seconds?|minutes?|hours?|days?|digits?|characters?|bytes?|how many|number of|percent)\b/i

const unitWords = 'milliseconds to days, digits, characters, bytes, percent, or "how many grams", "the number of grams"'

export default () => ({
  id: 'watchword',
  typeExtension: { oas3: withOwnFields },
  rules: {
    oas3: {
      'the-version-is-known': () => ({ Root: { enter: requireVersion } }),
      'every-schema-has-a-form-in-both-versions': () => ({
        Root: { enter: requireFormOfRoot },
        Schema: { enter: requireFormOfSchema },
      }),
      'references-and-components-fit': requireReferences,
      'tags-are-described': () => ({ Root: { enter: onceWhole(requireKnownTags) } }),
      'links-lead-to-an-operation': () => ({ Root: { enter: onceWhole(requireKnownLinks) } }),
      'every-answer-is-in-the-envelope': () => ({ Root: { enter: onceWhole(requireEnvelope) } }),
      'error-codes-come-from-the-list': () => ({ Root: { enter: onceWhole(requireListedCodes) } }),
      'every-operation-documents-what-any-may-answer': () => ({ Root: { enter: onceWhole(requireCodesOfAny) } }),
      'requests-are-closed-and-bounded': () => ({ Root: { enter: onceWhole(requireClosedRequests) } }),
      'requests-can-be-repeated': () => ({ Root: { enter: onceWhole(requireRepeatable) } }),
      'every-operation-needs-a-key-that-can-be': () => ({ Root: { enter: onceWhole(requireKeys) } }),
      'exclusions-name-a-field': () => ({ Root: { enter: onceWhole(requireKnownExclusions) } }),
      'names-on-the-wire-are-in-snake-case': () => ({ Root: { enter: onceWhole(requireSnakeCase) } }),
      'parameters-can-be-read': () => ({ Root: { enter: onceWhole(requireParameters) } }),
      'defaults-fit': () => ({ Schema: { enter: onSchema(requireFittingDefault) } }),
      'formats-are-checked': () => ({ Schema: { enter: onSchema(requireKnownFormat) } }),
      'schemas-are-portable': () => ({ Schema: { enter: onSchema(requirePortableSchema) } }),
      'names-of-components-are-apart': () => ({ Root: { enter: onceWhole(requireNamesApart) } }),
      'addresses-belong-to-somebody': () => ({ Root: { enter: requireOwnedAddresses } }),
      'constants-are-kept': () => ({
        Schema: { enter: onSchema(requireConstant) },
        Root: { enter: onceWhole(requireConstantExamples) },
      }),
      'numbers-name-their-unit': () => ({
        Schema: { enter: onSchema(requireUnit) },
        Parameter: { enter: requireUnitOutside },
        Header: { enter: requireUnitOutside },
      }),
      'patterns-have-words': () => ({ Schema: { enter: onSchema(requirePatternWords) } }),
      'sizes-in-words-are-limits': () => ({ Root: { enter: onceWhole(requireTrueSizes) } }),
      'headers-can-be-sent': () => ({ Root: { enter: onceWhole(requireSendableHeaders) } }),
      'everything-is-json': () => ({ Root: { enter: onceWhole(requireJson) } }),
      'everything-has-examples': () => ({ Root: { enter: onceWhole(requireExamples) } }),
      'requests-are-paired-with-answers': () => ({ Root: { enter: onceWhole(requirePairs) } }),
      'every-answer-names-its-request': () => ({ Root: { enter: onceWhole(requireTraceId) } }),
      'every-value-of-a-list-is-explained': requireMeanings,
      'a-list-that-may-grow-says-so': () => ({ Schema: { enter: onSchema(requireWordsOnGrowth) } }),
      'every-event-is-told-by-its-type': () => ({ Root: { enter: onceWhole(requireTypes) } }),
      'every-event-is-signed': () => ({ Root: { enter: onceWhole(requireSignature) } }),
      'events-tell-no-secret': () => ({ Root: { enter: onceWhole(requireThinness) } }),
    },
    arazzo1: { 'steps-name-an-operation': requireKnownSteps },
  },
  diff: { oas3: { ...listRules, ...unionRules, ...looserRules, ...promiseRules } },
})

type Types = Record<string, { properties: Json }>

/** The fields of the root that are schemas, which Redocly does not know. */
function withOwnFields({ Root, ...types }: Types): Types {
  const properties = { ...Root?.properties, 'x-webhook-event': 'Schema', 'x-error-response': 'Schema' }
  return { ...types, Root: { ...Root, properties } }
}

/** A visitor of every schema, which reads it in the words of OpenAPI 3.0. */
function onSchema(visit: (schema: Json, context: Context) => void): (schema: Json, context: Context) => void {
  return (schema, context) => visit(asOpenApi30(schema), context)
}

function requireEnvelope(root: Json, context: Context): void {
  for (const { status, content, location } of answersIn(root, context)) {
    const schema = follow(context, content.schema, location.child(['schema']))
    const { required, properties } = schema.node as { required?: string[]; properties?: Json }
    const wanted = Number(status) < 400
    const success = follow(context, properties?.success, schema.location).node
    const data = follow(context, properties?.data, schema.location).node
    const isEnvelope =
      schema.node.type === 'object' &&
      ['success', 'data'].every((name) => required?.includes(name)) &&
      success.type === 'boolean' &&
      // OpenAPI 3.1 has a word of its own for it.
      (success['x-always'] ?? success.const) === wanted &&
      (data.type === 'object' || Array.isArray(data.oneOf))
    if (isEnvelope) continue
    const message = `the answer ${status} must be an object with the required fields success, a boolean with x-always: ${wanted}, and data, an object`
    context.report({ message, location: schema.location })
  }
}

/** A caller who breaks a pattern is told these words, and no regular expression. */
function requirePatternWords(schema: Json, context: Context): void {
  const { pattern, 'x-ecma-pattern': own = pattern, 'x-pattern-words': words } = schema
  if (own === undefined || (typeof words === 'string' && /^must (be|have) [^\\^]+$/.test(words))) return
  const message = 'a pattern needs x-pattern-words beside it, which callers are told: "must be …" or "must have …"'
  context.report({ message, location: context.location })
}

function requireExamples(root: Json, context: Context): void {
  const answers = answersIn(root, context).map(({ status, ...answer }) => ({ name: `the answer ${status}`, ...answer }))
  const documented = [...bodiesIn(root, context), ...answers, ...listEvents(root, context)]
  for (const { name: what, content, location } of documented) {
    const examples = Object.entries((content.examples ?? {}) as Json)
    if (examples.length === 0)
      context.report({
        message: `${what} needs named examples: add examples, each with a summary and a value`,
        location,
      })
    for (const [name, example] of examples) {
      const { node, location: at } = follow(context, example, location.child(['examples', name]))
      if (!/^[^|\n]+$/.test(String(node.summary ?? ''))) {
        context.report({ message: `the example ${name} needs a summary of one line, without |`, location: at })
      }
    }
  }
}

function requireTraceId(root: Json, context: Context): void {
  for (const { status, headers, location } of answersIn(root, context)) {
    if ('X-Trace-Id' in headers) continue
    context.report({
      message: `the answer ${status} needs the header X-Trace-Id: add #/components/headers/TraceIdHeader to its headers`,
      location,
    })
  }
}

function requireUnit({ type, description }: Json, context: Context): void {
  // What a parameter, a header or one of several forms is, stands beside its schema or above it.
  if (!isDescribedOutside(context.location)) requireNamedUnit(type, description, context)
}

/** Of a parameter or a header. */
function requireUnitOutside({ schema, description }: Json, context: Context): void {
  requireNamedUnit(follow(context, schema, context.location).node.type, description, context)
}

function requireNamedUnit(type: unknown, description: unknown, { report, location }: Context): void {
  if (!numbers.includes(String(type)) || units.test(String(description ?? ''))) return
  report({ message: `the description of a number must say what it counts: ${unitWords}`, location })
}

function isDescribedOutside({ pointer }: Location): boolean {
  return /^#\/schema$|\/(parameters|headers)\/[^/]+\/schema$|\/(anyOf|oneOf|allOf)\/\d+$/.test(pointer)
}

function requireMeanings() {
  let codes: unknown[] = []
  return {
    Root: {
      enter: (root: Json, context: Context) => {
        codes = (namedSchemas(root, context).get('ErrorCode')?.node.enum ?? []) as unknown[]
      },
    },
    Schema: {
      enter: onSchema(({ enum: values, description }, context) => {
        if (!Array.isArray(values) || values.length < 2) return
        const explained = explainedIn(description)
        // What a code means stands once, whatever operations answer it; that each is there, another rule sees to.
        const isOfCodes = /`ErrorCode`/.test(String(description)) && values.some((value) => codes.includes(value))
        const missing = isOfCodes ? [] : values.filter((value) => !explained.includes(String(value)))
        if (missing.length === 0) return
        context.report({
          message: `the description beside the enum needs a line "* \`value\`: what it means" for each value, also for ${missing.join(', ')}`,
          location: context.location.child(['enum']),
        })
      }),
    },
  }
}

/** In a line for each, `* \`value\`: what it means`. */
function explainedIn(description: unknown): string[] {
  return String(description)
    .split('\n')
    .filter((line) => line.startsWith('* '))
    .flatMap((line) => Array.from(line.split(':')[0]!.matchAll(/`(.+?)`/g), ([, value]) => value!))
}
