/** Every named example of the contract, with the name of the schema that it is an example of. */
import { contract } from '../../src/contract/document.ts'

interface Example {
  schema: string
  value: unknown
}

interface Body {
  content?: { 'application/json': { schema: { $ref: string }; examples: Record<string, Found<{ value: unknown }>> } }
}

/** As it is, or where it is. */
type Found<Thing> = Thing | { $ref: string }

interface Operation {
  requestBody?: Found<Body>
  responses: Record<string, Found<Body>>
}

/** Of requests, answers and events. */
export function namedExamples(): Example[] {
  const { paths, 'x-webhooks': webhooks } = contract
  const items: object[] = [...Object.values(paths), ...Object.values(webhooks)]
  const operations: Operation[] = items.flatMap((item) => Object.values(item))
  return operations.flatMap(({ requestBody = {}, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((found) => listExamples(find(found))),
  )
}

function listExamples({ content }: Body): Example[] {
  if (!content) return []
  const { schema, examples } = content['application/json']
  const name = schema.$ref.split('/').at(-1)!
  return Object.values(examples).map((example) => ({ schema: name, value: find(example).value }))
}

function find<Thing extends object>(found: Found<Thing>): Thing {
  if (!('$ref' in found)) return found
  const [, ...steps] = found.$ref.split('/')
  return steps.reduce<unknown>((place, step) => (place as Record<string, unknown>)[step], contract) as Thing
}
