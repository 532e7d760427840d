/** The fields of a schema, one below the other, with those that they have themselves. */
import { type Html, html } from '../../html.ts'
import { type Parameter, type Response, resolved, type Schema, schemaOf } from './document.ts'
import type { Text } from './text.ts'

const anyName = '(any name)'

interface Field {
  name: string
  schema: Schema
  description: string | undefined
  isRequired: boolean
}

/** Of a schema that is an object, or one of several. */
export function fieldsOf(schema: Schema, text: Text): Html | undefined {
  return inner(schema, text, [])
}

/** Parameters of a request. */
export function parameterFields(parameters: readonly Parameter[], text: Text): Html {
  return list(
    parameters.map(({ name, schema, description, required = false }) => ({
      name,
      schema,
      description,
      isRequired: required,
    })),
    text,
    [],
  )
}

export function headerFields({ headers = {} }: Response, text: Text): Html {
  const named = Object.entries(headers).map(([name, header]) => ({
    ...resolved<Omit<Parameter, 'name' | 'in'>>(header),
    name,
  }))
  return parameterFields(named as Parameter[], text)
}

/** @param above the schemas that this one is within: one may hold itself */
function inner(schema: Schema, text: Text, above: readonly Schema[]): Html | undefined {
  const whole = schemaOf(schema)
  const own = resolved<Schema>(schema as Schema & { $ref: string })
  if (above.includes(own)) return undefined
  const within = [...above, own]
  const variants = whole.oneOf ?? whole.anyOf
  if (variants) {
    const shown = variants.map((variant) => ({ variant, fields: inner(variant, text, within) }))
    if (shown.every(({ fields }) => fields === undefined)) return undefined
    return html`<div class="variants">${shown.map(({ variant, fields }) => html`<div><p class="variant">${nameOf(whole, variant)}</p>${fields}</div>`)}</div>`
  }
  if (whole.items) return inner(whole.items, text, within)
  const required = new Set(whole.required)
  const fields = Object.entries(whole.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    description: undefined,
    isRequired: required.has(name),
  }))
  if (typeof whole.additionalProperties === 'object') {
    fields.push({ name: anyName, schema: whole.additionalProperties, description: undefined, isRequired: false })
  }
  return fields.length === 0 ? undefined : list(fields, text, within)
}

function list(fields: readonly Field[], text: Text, above: readonly Schema[]): Html {
  return html`<ul class="fields">${fields.map((field) => {
    const schema = schemaOf(field.schema)
    const description = field.description ?? schema.description
    const nested = inner(field.schema, text, above)
    return html`<li>
<p class="field"><code>${field.name}</code> <span class="type">${typeOf(schema)}</span>${field.isRequired && html` <span class="required">required</span>`}</p>
${description !== undefined && html`<div class="said">${text.block(description)}</div>`}
${limitsOf(schema, description ?? '')}
${nested}
</li>`
  })}</ul>`
}

/** By the value that tells it from the others, or by its schema's name. */
function nameOf({ discriminator }: Schema, variant: Schema): Html {
  const value = Object.entries(discriminator?.mapping ?? {}).find(([, ref]) => ref === variant.$ref)?.[0]
  if (discriminator && value !== undefined)
    return html`When <code>${discriminator.propertyName}</code> is <code>${value}</code>`
  return html`Either <code>${variant.$ref?.split('/').at(-1) ?? typeOf(schemaOf(variant))}</code>`
}

function typeOf(schema: Schema): string {
  const variants = schema.oneOf ?? schema.anyOf
  const type = variants
    ? [...new Set(variants.map((variant) => typeOf(schemaOf(variant))))].join(' or ')
    : schema.items
      ? `array of ${typeOf(schemaOf(schema.items))}s`
      : [schema.type ?? 'anything', schema.format].filter(Boolean).join(', ')
  return schema.nullable ? `${type} or null` : type
}

/** What a value must keep to, as far as its description does not say it. */
function limitsOf(schema: Schema, description: string): Html | undefined {
  const values = (schema.enum ?? []).filter((value) => !description.includes(`\`${value}\``))
  const limits = [
    values.length > 0 && html`one of ${values.map((value) => html`<code>${String(value)}</code> `)}`,
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
    schema.pattern !== undefined && html`matches <code>${schema.pattern}</code>`,
    schema.default !== undefined && html`<code>${JSON.stringify(schema.default)}</code> when left out`,
  ].filter((limit) => limit !== undefined && limit !== false)
  if (limits.length === 0) return undefined
  return html`<ul class="limits">${limits.map((limit) => html`<li>${limit}</li>`)}</ul>`
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const written = (value: number) => value.toLocaleString('en')
  if (min !== undefined && max !== undefined) return `${written(min)} to ${written(max)}${unit}`
  if (min !== undefined) return `at least ${written(min)}${unit}`
  if (max !== undefined) return `at most ${written(max)}${unit}`
  return undefined
}
