/**
 * What handlers take up of their input: the parameters and the fields of the body that they read by name. One that the contract
 * declares and nobody reads would be taken, checked, and then ignored. To copy an object whole is not to read its fields.
 */
import { contract } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import type { Handlers } from '../../src/http/api/handler.ts'

/** A place in the input of a handler. */
interface Place {
  /** As `details` of a refusal name it; none for what is no field of its own. */
  field?: string
  /** Below it, by their names. */
  members?: Record<string, Place>
  /** Every one of a list. */
  item?: Place
}

interface Schema {
  type?: string
  $ref?: string
  readOnly?: boolean
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

interface Operation {
  operationId: string
  parameters?: ({ $ref: string } | { name: string; in: string })[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

/** The input of an operation, as the contract declares it. */
export function inputOf({ parameters = [], requestBody }: Omit<Operation, 'operationId'>): Place {
  const places = new Map<string, Record<string, Place>>()
  const members: Record<string, Place> = {}
  for (const { in: place, name } of parameters.map(behind<{ in: string; name: string }>)) {
    const field = `${place}:${name}`
    places.set(place, { ...places.get(place), [name]: { field } })
    // This one is taken up by doing the work once.
    if (name === 'Idempotency-Key') members.once = { field }
  }
  for (const [place, own] of places) members[place] = { members: own }
  if (requestBody) members.body = describePlace(requestBody.content['application/json'].schema, '')
  return { members }
}

function describePlace(schema: Schema, pointer: string, above: readonly object[] = []): Place {
  const { properties = {}, items, allOf = [], oneOf = [], anyOf = [] } = behind<Schema>(schema)
  if (above.includes(properties)) return {}
  const below = [...above, properties]
  const place: Place = { members: {} }
  for (const [name, part] of Object.entries(properties)) {
    // Requests never have it.
    if (part.readOnly) continue
    const field = `${pointer}/${name}`
    place.members![name] = { field, ...describePlace(part, field, below) }
  }
  if (items) place.item = describePlace(items, `${pointer}/*`, below)
  for (const part of [...allOf, ...oneOf, ...anyOf]) {
    const { members, item } = describePlace(part, pointer, below)
    Object.assign(place.members!, members)
    if (item) place.item = item
  }
  return place
}

function behind<Node>(node: object): Node {
  if (!('$ref' in node)) return node as Node
  const names = String(node.$ref).slice(2).split('/')
  return behind(names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as object)
}

/** The names of all fields below. */
export function fieldsOf({ field, members = {}, item }: Place): string[] {
  const below = [...Object.values(members), ...(item ? [item] : [])].flatMap(fieldsOf)
  return [...new Set([...(field ? [field] : []), ...below])]
}

/** The same input, which says what is read of it. */
export function watched<Value>(value: Value, place: Place, onRead: (field: string) => void): Value {
  if (typeof value !== 'object' || value === null) return value
  const { members = {}, item } = place
  // Whoever copies or lists all, asks for each name before its value.
  const asked = new Set<PropertyKey>()
  return new Proxy(value, {
    getOwnPropertyDescriptor: (target, key) => {
      asked.add(key)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
    get: (target, key) => {
      const below = Array.isArray(target) ? item : Object.hasOwn(members, key) ? members[key as string] : undefined
      const isCopied = asked.delete(key)
      const part: unknown = Reflect.get(target, key)
      if (!below || typeof part === 'function') return part
      if (below.field && !isCopied) onRead(below.field)
      return watched(part, below, onRead)
    },
  })
}

const inputs = new Map(
  Object.values(contract.paths).flatMap((item) =>
    Object.values(item as Record<string, Operation>).map((operation) => [operation.operationId, inputOf(operation)]),
  ),
)

/** Every field that the contract declares, in its order. */
export const declaredFields = Array.from(inputs, ([operationId, input]) =>
  fieldsOf(input).map((field) => ({ operationId, field })),
).flat()

/** From now on, until it is given back, knows what these handlers read. */
export function watchHandlers(handlers: Handlers) {
  const read = new Set<string>()
  const watch = (id: OperationId) => {
    const handler = handlers[id]
    const act = handler?.act as ((input: object, services: never) => never) | undefined
    if (!handler || !act) return () => {}
    const input = inputs.get(id) as Place
    handler.act = (given: object, services: never) =>
      act.call(
        handler,
        watched(given, input, (field) => read.add(`${id} ${field}`)),
        services,
      )
    return () => Object.assign(handler, { act })
  }
  const undo = (Object.keys(handlers) as OperationId[]).map(watch)
  return {
    has: (operationId: string, field: string): boolean => read.has(`${operationId} ${field}`),
    giveBack: () => undo.forEach((back) => void back()),
  }
}
