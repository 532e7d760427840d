/** The fields of a schema as the reference tells them, with those that they have themselves. Texts are Markdown. */
import { type Parameter, type Response, resolved, type Schema, toSchema } from './document.ts'

/** What an object has, or what each of several has. */
export type Fields = { list: readonly Field[] } | { variants: readonly Variant[] }

export interface Field {
  name: string
  type: string
  isRequired: boolean
  /** It is still there, and should not be used any more. */
  isDeprecated: boolean
  description: string | undefined
  /** What a value must keep to, as far as the description does not say it. */
  limits: readonly string[]
  inner: Fields | undefined
}

export interface Variant {
  /** When a value is of this one. */
  title: string
  fields: Fields | undefined
}

const anyName = '(any name)'

/** @returns undefined for a schema without fields */
export function fieldsOf(schema: Schema): Fields | undefined {
  return inner(schema, [])
}

/** Of parameters of a request. */
export function parameterFields(parameters: readonly Omit<Parameter, 'in'>[]): Fields {
  return { list: parameters.map((parameter) => describeField(parameter, [])) }
}

export function headerFields({ headers = {} }: Response): Fields {
  return parameterFields(
    Object.entries(headers).map(([name, header]) => ({
      ...resolved<Omit<Parameter, 'name' | 'in'>>(header),
      name,
    })),
  )
}

/** @param above the schemas that this one is within: one may hold itself */
function inner(schema: Schema, above: readonly Schema[]): Fields | undefined {
  const whole = toSchema(schema)
  const own = resolved<Schema>(schema as Schema & { $ref: string })
  if (above.includes(own)) return undefined
  const within = [...above, own]
  const options = whole.oneOf ?? whole.anyOf
  if (options) {
    const variants = options.map((option) => ({ title: formatTitle(whole, option), fields: inner(option, within) }))
    return variants.every(({ fields }) => fields === undefined) ? undefined : { variants }
  }
  if (whole.items) return inner(whole.items, within)
  const required = new Set(whole.required)
  const named = Object.entries(whole.properties ?? {}).map(([name, property]) => ({
    ...{ name, schema: property, required: required.has(name) },
  }))
  const others = whole.additionalProperties
  const fields = typeof others === 'object' ? [...named, { name: anyName, schema: others }] : named
  return fields.length === 0 ? undefined : { list: fields.map((field) => describeField(field, within)) }
}

function describeField(
  { name, schema, description: own, required = false, deprecated = false }: Omit<Parameter, 'in'>,
  above: readonly Schema[],
): Field {
  const whole = toSchema(schema)
  const description = own ?? whole.description
  return {
    ...{ name, type: describeType(whole), isRequired: required, description },
    isDeprecated: deprecated || whole.deprecated === true,
    limits: describeLimits(whole, description ?? ''),
    inner: inner(schema, above),
  }
}

/** By the value that tells it from the others, or by its schema's name. */
function formatTitle({ discriminator }: Schema, variant: Schema): string {
  const value = Object.entries(discriminator?.mapping ?? {}).find(([, ref]) => ref === variant.$ref)?.[0]
  if (discriminator && value !== undefined) return `When \`${discriminator.propertyName}\` is \`${value}\``
  return `Either \`${variant.$ref?.split('/').at(-1) ?? describeType(toSchema(variant))}\``
}

function describeType(schema: Schema): string {
  const variants = schema.oneOf ?? schema.anyOf
  const type = variants
    ? [...new Set(variants.map((variant) => describeType(toSchema(variant))))].join(' or ')
    : schema.items
      ? `array of ${describeType(toSchema(schema.items))}s`
      : [schema.type ?? 'anything', schema.format].filter(Boolean).join(', ')
  return schema.nullable ? `${type} or null` : type
}

function describeLimits(schema: Schema, description: string): string[] {
  const values = (schema.enum ?? []).filter((value) => !description.includes(`\`${value}\``))
  const limits = [
    values.length > 0 && `one of ${values.map((value) => `\`${value}\``).join(' ')}`,
    range(
      schema.exclusiveMinimum ? undefined : schema.minimum,
      schema.exclusiveMaximum ? undefined : schema.maximum,
      '',
    ),
    schema.exclusiveMinimum && `more than ${schema.minimum?.toLocaleString('en')}`,
    schema.exclusiveMaximum && `less than ${schema.maximum?.toLocaleString('en')}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    range(undefined, schema.maxProperties, ' members'),
    schema.pattern !== undefined && `matches \`${schema.pattern}\``,
    schema.default !== undefined && `\`${JSON.stringify(schema.default)}\` when left out`,
  ]
  return limits.filter((limit) => limit !== undefined && limit !== false)
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const written = (value: number) => value.toLocaleString('en')
  if (min !== undefined && max !== undefined) return `${written(min)} to ${written(max)}${unit}`
  if (min !== undefined) return `at least ${written(min)}${unit}`
  if (max !== undefined) return `at most ${written(max)}${unit}`
  return undefined
}
