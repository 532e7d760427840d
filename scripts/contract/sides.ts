/**
 * Fields that one side has to leave out from now on: those of a request that are `readOnly`, and those of an answer or an event that are
 * `writeOnly`. Redocly tells who reads a schema by these same words, so no rule of its diff can ask who read it before.
 */
import { type Contract, eventsOf, listOperations, type Response } from './redocly.ts'
import type { Json } from './walk.ts'

/** @returns a line for each, of contracts without references */
export function lostFields(before: Contract, now: Contract): string[] {
  const current = new Map(listBodies(now).map(({ name, schema }) => [name, schema]))
  return listBodies(before).flatMap(({ name, mark, schema }) => {
    const marked = markedFields(current.get(name), mark)
    const wereMarked = markedFields(schema, mark)
    const fields = [...collectFields(schema).keys()].filter(
      (field) => marked.includes(field) && !wereMarked.includes(field),
    )
    return fields.map((field) => `${name} has no ${field} any more: it is ${mark} now`)
  })
}

function listBodies(contract: Contract): { name: string; mark: 'readOnly' | 'writeOnly'; schema: Json }[] {
  const schemasOf = ({ content = {} }: Partial<Response>) => Object.values(content).map(({ schema }) => schema)
  const operations = listOperations(contract).flatMap(({ operationId, requestBody = {}, responses }) => [
    ...schemasOf(requestBody).map((schema) => ({
      name: `a request of ${operationId}`,
      mark: 'readOnly' as const,
      schema,
    })),
    ...Object.entries(responses).flatMap(([status, response]) =>
      schemasOf(response).map((schema) => ({
        name: `the answer ${status} of ${operationId}`,
        mark: 'writeOnly' as const,
        schema,
      })),
    ),
  ])
  const events = eventsOf(contract).flatMap(({ type, webhook: { requestBody } }) =>
    schemasOf(requestBody).map((schema) => ({ name: `the event ${type}`, mark: 'writeOnly' as const, schema })),
  )
  return [...operations, ...events]
}

function markedFields(schema: Json | undefined, mark: string): string[] {
  return [...collectFields(schema)].filter(([, field]) => field[mark] === true).map(([name]) => name)
}

/** By their names from the outside inwards: `receipt.audience`. */
function collectFields(schema: Json = {}, above = ''): Map<string, Json> {
  const { properties = {}, allOf = [], oneOf = [], anyOf = [], items } = schema as Record<string, Json & Json[]>
  const fields = Object.entries(properties as Record<string, Json>)
  return new Map([
    ...fields.map(([name, field]) => [above + name, field] as const),
    ...fields.flatMap(([name, field]) => [...collectFields(field, `${above}${name}.`)]),
    ...[...allOf, ...oneOf, ...anyOf, ...(items ? [items] : [])].flatMap((part) => [...collectFields(part, above)]),
  ])
}
