/** The rules of events: each is told by its type, signed, and tells nothing that is secret. */
import { type Context, follow, type Json, type Location, nameOfSchema, type Resolved } from './walk.ts'

interface DocumentedEvent {
  name: string
  operation: Resolved
  content: Json
  /** Of its content. */
  location: Location
}

interface Post {
  name: string
  operation: Resolved
  body: Resolved
}

function listPosts(root: Json, context: Context): Post[] {
  const place = 'webhooks' in root ? 'webhooks' : 'x-webhooks'
  return Object.entries((root[place] ?? {}) as Json).map(([name, item]) => {
    const at = follow(context, item, context.location.child([place, name]))
    const operation = { node: (at.node.post ?? {}) as Json, location: at.location.child(['post']) }
    const body = follow(context, operation.node.requestBody, operation.location.child(['requestBody']))
    return { name, operation, body }
  })
}

/** As what every event is sent, with the place where it stands. */
export function listMedia(root: Json, context: Context): { name: string; types: string[]; location: Location }[] {
  return listPosts(root, context).map(({ name, operation, body: { node, location } }) => {
    const types = Object.keys((node.content ?? {}) as Json)
    return { name, types, location: types.length === 0 ? operation.location : location }
  })
}

/** The JSON of every event, with the place where it stands. */
export function listEvents(root: Json, context: Context): DocumentedEvent[] {
  return listPosts(root, context).flatMap(({ name, operation, body: { node, location } }) => {
    const content = (node.content as Json | undefined)?.['application/json'] as Json | undefined
    // What is no JSON has a rule of its own.
    if (content === undefined) return []
    return [{ name, operation, content, location: location.child(['content', 'application/json']) }]
  })
}

/** Receivers, and generated clients, tell events apart by `type` alone. */
export function requireTypes(root: Json, context: Context): void {
  const union = follow(context, root['x-webhook-event'], context.location.child(['x-webhook-event']))
  const mapping = ((union.node.discriminator as Json | undefined)?.mapping ?? {}) as Record<string, string>
  const events = listEvents(root, context)
  for (const { name, content, location } of events) {
    const schema = follow(context, content.schema, location.child(['schema']))
    const { required, properties } = schema.node as { required?: string[]; properties?: Json }
    const { enum: values, const: constant } = follow(context, properties?.type, schema.location).node
    const report = (message: string, at = schema.location) => context.report({ message, location: at })

    if (!/^[a-z]+\.[a-z]+(_[a-z]+)?$/.test(name))
      report(`${name} must be a noun, a dot, and what happened, with _ for a space`)
    if (!['type', 'timestamp', 'data'].every((field) => required?.includes(field)))
      report(`${name} must be an object with the required fields type, timestamp and data`)
    if (JSON.stringify(values ?? [constant]) !== JSON.stringify([name]))
      report(`the type of ${name} needs the enum [${name}]`)
    const mapped = mapping[name] === undefined ? undefined : follow(context, { $ref: mapping[name] }, union.location)
    if (mapped?.location.absolutePointer !== schema.location.absolutePointer)
      report(`x-webhook-event must map ${name} to the schema of its body`, union.location)
    for (const [example, { value }] of Object.entries((content.examples ?? {}) as Record<string, { value?: Json }>)) {
      if (value?.type !== name)
        report(`an example of ${name} needs the type ${name}`, location.child(['examples', example]))
    }
  }
  for (const name of Object.keys(mapping).filter((type) => !events.some((event) => event.name === type))) {
    context.report({ message: `x-webhook-event has the type ${name}, which is no event`, location: union.location })
  }
}

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

export function requireSignature(root: Json, context: Context): void {
  for (const { name, operation } of listEvents(root, context)) {
    const { parameters, security } = operation.node as { parameters?: unknown[]; security?: unknown[] }
    const headers = (parameters ?? []).map((parameter) => follow(context, parameter, operation.location).node)
    const missing = signed.filter(
      (header) => !headers.some((found) => found.name === header && found.required === true),
    )
    const report = (message: string) => context.report({ message, location: operation.location })
    if (missing.length > 0) report(`${name} needs the required headers ${missing.join(', ')} in its parameters`)
    // What holds for all operations is the key of a caller, and nobody calls here.
    if (security?.length !== 0) report(`${name} needs security: []`)
  }
}

const secrets = ['phone', 'code', 'variables', 'text', 'secret', 'token', 'password', 'key']

/** An event may go to whoever holds the endpoint's address, and lies in their logs. */
export function requireThinness(root: Json, context: Context): void {
  for (const { name, content, location } of listEvents(root, context)) {
    for (const { field, schema } of listFields(context, follow(context, content.schema, location.child(['schema'])))) {
      const { node, location: at } = schema
      const told = field.split(/[_-]/).find((word) => secrets.includes(word))
      // A list of words is no one-time code: an error is told by one.
      const isWord = field === 'code' && Array.isArray(node.enum)
      if ((told !== undefined && !isWord) || nameOfSchema(at) === 'Phone') {
        context.report({ message: `${name} has the field ${field}: an event tells no secret`, location: at })
      }
      if (node.additionalProperties) {
        context.report({
          message: `${name} has the open field ${field}: an event names all that it tells`,
          location: at,
        })
      }
    }
  }
}

interface Field {
  field: string
  schema: Resolved
}

/** The fields at every depth of a schema, itself under no name. */
function listFields(context: Context, schema: Resolved, field = '', above: string[] = []): Field[] {
  const { node, location } = schema
  if (above.includes(location.absolutePointer)) return []
  const below = (part: unknown, path: (string | number)[], name: string) =>
    listFields(context, follow(context, part, location.child(path)), name, [...above, location.absolutePointer])
  const { properties = {}, items, additionalProperties, ...rest } = node as Record<string, Json | undefined>
  return [
    { field, schema },
    ...Object.entries(properties).flatMap(([name, part]) => below(part, ['properties', name], name)),
    ...(items ? below(items, ['items'], field) : []),
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, ['additionalProperties'], field) : []),
    ...['allOf', 'oneOf', 'anyOf'].flatMap((choice) =>
      ((rest[choice] ?? []) as unknown as unknown[]).flatMap((part, index) => below(part, [choice, index], field)),
    ),
  ]
}
