/** Answers that the mock makes up: random values, each answer one that the contract describes. */
import { JSONSchemaFaker as faker } from 'json-schema-faker'
import { replies } from '../../generated/replies.js'
import type { Binding } from '../../src/http/api/binding.ts'
import { type ExampleBody, exampleHeaders } from '../../src/http/api/mock.ts'
import { closed } from './closed.ts'
import { withExclusiveBounds } from './exclusiveBounds.ts'
import type { Response } from './redocly.ts'

// What may be left out is there as often as not.
faker.option({
  optionalsProbability: 0.5,
  useExamplesValue: false,
  useDefaultValue: false,
  maxItems: 3,
  maxLength: 200,
})

/** Two of five are right where the forms of an answer share fields; everywhere else all are. */
const triesMax = 100
const traceId = '0'.repeat(32)

/**
 * @param status that the contract documents for the operation
 * @throws Error where none fits the schema
 */
export function makeAnswer(binding: Binding, status: number): ExampleBody {
  const { operationId, operation } = binding
  const response = (operation.responses as unknown as Record<string, Response>)[status]!
  const schema = withLeastItems(closed(withExclusiveBounds(response.content['application/json']!.schema)))
  const written = Object.entries({ ...exampleHeaders(binding, status), 'X-Trace-Id': traceId })
  const headers = Object.fromEntries(written.map(([name, value]) => [name.toLowerCase(), value]))
  const isValid = replies[operationId as keyof typeof replies][status]!
  for (let tries = 0; tries < triesMax; tries += 1) {
    // The faker changes the schema that it is given.
    const body = faker.generate(structuredClone(schema)) as ExampleBody
    if (isValid({ headers, body })) return body
  }
  throw new Error(`none of ${triesMax} answers ${status} of ${operationId} fits its schema`)
}

/** The same schema, in which each list says how few items it has: without that, the faker makes up to fifty, whatever the most is. */
function withLeastItems<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withLeastItems) as Part
  if (typeof part !== 'object' || part === null) return part
  const schema = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withLeastItems(value)]))
  return { ...(schema.type === 'array' && { minItems: 0 }), ...schema } as Part
}
