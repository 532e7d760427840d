/** Changes that clients meet and that Redocly takes for text: those of the facts that are this API's own. */
import { type Contract, eventsOf, listOperations, type Operation, type Webhook } from './redocly.ts'
import { lostFields } from './sides.ts'

/** @returns a line for each change that lets clients do more */
export function ownGains(before: Contract, now: Contract): string[] {
  const [bytes, characters] = [before['x-max-body-bytes'], filledMax(before)]
  const [newBytes, newCharacters] = [now['x-max-body-bytes'], filledMax(now)]
  return [
    ...(newBytes > bytes ? [`bodies may have ${newBytes} bytes; x-max-body-bytes was ${bytes}`] : []),
    ...ownBodyBytes(before, now).flatMap(({ operationId, was, is }) =>
      is > was ? [`bodies of ${operationId} may have ${is} bytes, and had ${was}`] : [],
    ),
    ...(characters !== undefined && !(Number(newCharacters) <= characters)
      ? [`texts may have ${newCharacters ?? 'any number of'} characters; x-max-filled-characters was ${characters}`]
      : []),
    ...freedFields(before, now),
  ]
}

/** @returns a line for each breaking change */
export function ownBreaks(before: Contract, now: Contract): string[] {
  return [
    ...keys(before, now),
    ...scopes(before, now),
    ...fields(before, now),
    ...bodyBytes(before, now),
    ...ownBodyBytes(before, now).flatMap(({ operationId, was, is }) =>
      is < was ? [`bodies of ${operationId} of more than ${is} bytes are refused, and might have ${was}`] : [],
    ),
    ...filledCharacters(before, now),
    ...statuses(before, now),
    ...eventBytes(before, now),
    ...eventHeaders(before, now),
    ...lostFields(before, now),
    ...mappings(before, now),
  ]
}

/** What a key protected is open: whoever relied on that has to know, and clients that send none have no mode. */
function keys(before: Contract, now: Contract): string[] {
  const current = new Map(listOperations(now).map((operation) => [operation.operationId, operation]))
  return listOperations(before).flatMap((operation) => {
    const other = current.get(operation.operationId)
    if (!other || !needsKey(operation, before) || needsKey(other, now)) return []
    return [`${operation.operationId} needs no key any more: it has lost its security`]
  })
}

function needsKey({ security: own }: Operation, { security = [] }: Contract): boolean {
  const ways = own ?? security
  return ways.length > 0 && ways.every((way) => Object.keys(way).length > 0)
}

function scopes(before: Contract, now: Contract): string[] {
  const needed = new Map(listOperations(now).map((operation) => [operation.operationId, operation['x-required-scope']]))
  return listOperations(before).flatMap(({ operationId, 'x-required-scope': scope }) => {
    const other = needed.get(operationId)
    if (other === undefined || other === scope) return []
    return [`${operationId}: keys with the scope ${scope} are refused; x-required-scope is ${other} now`]
  })
}

/** A field that was there needs another scope now, or excludes one more. */
function fields(before: Contract, now: Contract): string[] {
  const current = findScopedFields(now)
  return [...findScopedFields(before)].flatMap(([name, { scope, excludes }]) => {
    const other = current.get(name)
    if (!other) return []
    const more = other.excludes.filter((one) => !excludes.includes(one))
    return [
      ...(other.scope !== undefined && other.scope !== scope
        ? [`${name}: keys without the scope ${other.scope} are refused now`]
        : []),
      ...(more.length > 0 ? [`${name} is refused beside ${more.join(', ')} now`] : []),
    ]
  })
}

/** A field that was there needs no scope of its own any more, or may stand beside another one. */
function freedFields(before: Contract, now: Contract): string[] {
  const current = findScopedFields(now)
  return [...findScopedFields(before)].flatMap(([name, { scope, excludes }]) => {
    const other = current.get(name)
    if (!other) return []
    const fewer = excludes.filter((one) => !other.excludes.includes(one))
    return [
      ...(scope !== undefined && other.scope === undefined ? [`${name}: keys need no scope ${scope} any more`] : []),
      ...(fewer.length > 0 ? [`${name} may be given beside ${fewer.join(', ')} now`] : []),
    ]
  })
}

function findScopedFields({
  components,
}: Contract): Map<string, { scope: string | undefined; excludes: readonly string[] }> {
  const schemas = Object.entries(components.schemas) as [string, { properties?: FieldFacts }][]
  return new Map(
    schemas.flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).map(([field, { 'x-required-scope': scope, 'x-excludes': excludes = [] }]) => [
        `${schema}/${field}`,
        { scope, excludes },
      ]),
    ),
  )
}

type FieldFacts = Record<string, { 'x-required-scope'?: string; 'x-excludes'?: readonly string[] }>

function bodyBytes({ 'x-max-body-bytes': before }: Contract, { 'x-max-body-bytes': now }: Contract): string[] {
  return now < before ? [`bodies of more than ${now} bytes are refused; x-max-body-bytes was ${before}`] : []
}

/** The bytes of a body in each operation that has a limit of its own, in one of the two. */
function ownBodyBytes(before: Contract, now: Contract): { operationId: string; was: number; is: number }[] {
  const current = new Map(listOperations(now).map((operation) => [operation.operationId, operation]))
  return listOperations(before).flatMap(({ operationId, 'x-max-body-bytes': own }) => {
    const other = current.get(operationId)
    if (!other || (own === undefined && other['x-max-body-bytes'] === undefined)) return []
    const was = own ?? before['x-max-body-bytes']
    return [{ operationId, was, is: other['x-max-body-bytes'] ?? now['x-max-body-bytes'] }]
  })
}

function filledCharacters(before: Contract, now: Contract): string[] {
  const [was, is] = [filledMax(before), filledMax(now)]
  return was !== undefined && is !== undefined && is < was
    ? [`texts of more than ${is} characters are refused; x-max-filled-characters was ${was}`]
    : []
}

function filledMax({ components }: Contract): number | undefined {
  const { properties } = (components.schemas.SendNotificationRequest ?? {}) as { properties?: Properties }
  return properties?.variables?.['x-max-filled-characters']
}

type Properties = Record<string, { 'x-max-filled-characters'?: number }>

function statuses(before: Contract, now: Contract): string[] {
  const current = statusesOf(now)
  return Object.entries(statusesOf(before)).flatMap(([code, status]) => {
    const other = current[code]
    // The list of all codes belongs to no answer, and two of them to no operation.
    if (other === undefined) return [`${code} is no error code any more`]
    return other === status ? [] : [`${code} is answered ${other}, and was answered ${status}`]
  })
}

function statusesOf({ components }: Contract): Record<string, number> {
  return (components.schemas.ErrorCode?.['x-statuses'] ?? {}) as Record<string, number>
}

function eventBytes({ 'x-max-event-bytes': before }: Contract, { 'x-max-event-bytes': now }: Contract): string[] {
  if (before === undefined) return []
  if (now === undefined) return [`events have no limit any more: add x-max-event-bytes, which was ${before}`]
  return now > before ? [`events may have ${now} bytes; x-max-event-bytes was ${before}`] : []
}

/** Redocly takes them for what a caller may send. */
function eventHeaders(before: Contract, now: Contract): string[] {
  const current = new Map(eventsOf(now).map(({ type, webhook }) => [type, headersOf(webhook)]))
  return eventsOf(before).flatMap(({ type, webhook }) => {
    const headers = current.get(type)
    const lost = headersOf(webhook).filter((name) => headers && !headers.includes(name))
    return lost.map((name) => `${type} comes without the header ${name}`)
  })
}

function headersOf({ parameters }: Webhook): string[] {
  return parameters.filter(({ required }) => required).map(({ name }) => name)
}

/** A value that led to one form leads to another one that the contract still has: Redocly compares what they hold. */
function mappings(before: Contract, now: Contract): string[] {
  return Object.entries(before.components.schemas).flatMap(([schema, was]) => {
    const current = readMapping(now.components.schemas[schema])
    return Object.entries(readMapping(was)).flatMap(([value, form]) => {
      const other = current[value]
      if (other === undefined || other === form || !(form in now.components.schemas)) return []
      return [`${value} of ${schema} leads to ${other}, and led to ${form}`]
    })
  })
}

/** @returns the name of the form by the value that leads to it */
function readMapping(schema: { discriminator?: { mapping?: Record<string, string> } } = {}): Record<string, string> {
  const mapping = Object.entries(schema.discriminator?.mapping ?? {})
  return Object.fromEntries(mapping.map(([value, form]) => [value, form.slice(form.lastIndexOf('/') + 1)]))
}
