/**
 * The contract lets answers grow: clients have to bear fields that they do not know. What this version sends, though, is
 * exactly what is described. Closed, a schema says that too.
 */
import { isDeepStrictEqual } from 'node:util'
import { asAnswered } from './directions.ts'
import { ContractFault } from './redocly.ts'

type Schema = Record<string, unknown>

/**
 * The same schema, which also refuses every field that it does not describe, or that requests alone have. It stays within
 * draft 7 of JSON Schema.
 *
 * @param schema without references
 * @throws ContractFault when its parts cannot be made one
 */
export function closed(schema: Schema): Schema {
  return closedPart(asAnswered(schema))
}

function closedPart(schema: Schema): Schema {
  const { oneOf, anyOf, ...own } = mergeRules(schema)
  if (oneOf || anyOf) return closedChoice({ oneOf, anyOf, own } as Choice)
  const { properties, items, additionalProperties = false } = own as Record<string, Schema | undefined | false>
  return {
    ...own,
    ...(properties && { properties: mapValues(properties, closedPart), additionalProperties }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closedPart(additionalProperties) }),
    ...(items && { items: closedPart(items) }),
  }
}

interface Choice {
  oneOf?: Schema[]
  anyOf?: Schema[]
  /** What stands beside the choice, and holds whatever is chosen. */
  own: Schema
}

function closedChoice({ oneOf, anyOf = [], own }: Choice): Schema {
  if (oneOf && anyOf.length > 0)
    throw new ContractFault('an answer has oneOf beside anyOf: teach scripts/contract/closed.ts\n')
  if (anyOf.filter((part) => mergeRules(part).properties).length > 1) {
    throw new ContractFault('an answer has anyOf of several objects, whose fields may come together: use oneOf\n')
  }
  const parts = (oneOf ?? anyOf).map((part) => closedPart(merged(own, part)))
  // Closed parts are told apart more easily than open ones, which is how clients read them: so both have to hold.
  return { ...own, ...(oneOf && { oneOf }), anyOf: parts }
}

/**
 * What a schema demands, without remarks. A part of an `allOf` cannot be closed alone, because the other parts describe
 * fields too: they become one.
 */
function mergeRules({ allOf = [], ...own }: Schema): Schema {
  const rules = Object.fromEntries(Object.entries(own).filter(([keyword]) => !isRemark(keyword)))
  // Says what a boolean always is. Many generators of clients stumble over a list of one boolean.
  if ('x-always' in own) rules.enum = [own['x-always']]
  return (allOf as Schema[]).reduce(merged, rules)
}

function isRemark(keyword: string): boolean {
  return (
    ['title', 'description', 'example', 'deprecated', 'externalDocs', 'readOnly', 'writeOnly'].includes(keyword) ||
    keyword.startsWith('x-')
  )
}

function merged(one: Schema, other: Schema): Schema {
  const whole = mergeRules(one)
  for (const [keyword, value] of Object.entries(mergeRules(other))) {
    whole[keyword] = Object.hasOwn(whole, keyword) ? both(keyword, whole[keyword], value) : value
  }
  return whole
}

/** The value of a keyword that demands what its two values demand. */
function both(keyword: string, one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other)) return one
  if (keyword === 'required') return [...new Set([...(one as string[]), ...(other as string[])])]
  if (keyword === 'enum') return (one as unknown[]).filter((value) => (other as unknown[]).includes(value))
  if (keyword === 'items') return merged(one as Schema, other as Schema)
  if (keyword === 'properties') {
    const known = one as Record<string, Schema>
    return { ...known, ...mapValues(other as Schema, (schema, name) => merged(known[name] ?? {}, schema)) }
  }
  throw new ContractFault(`an answer has parts that differ in ${keyword}: teach scripts/contract/closed.ts\n`)
}

function mapValues(schemas: Schema, map: (schema: Schema, name: string) => Schema): Schema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema as Schema, name)]))
}
