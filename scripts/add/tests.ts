/** The scenarios and the test of an operation. */
import type { Naming } from './naming.ts'

interface ScenarioParts {
  answers: string
  invalid: string
  notFound?: string
  request: string
}

/** What makes its answers happen from outside. */
export function buildScenarios(
  { operationId, verb, scope }: Naming,
  { answers, invalid, notFound, request }: ScenarioParts,
) {
  const isWrite = verb === 'create'
  const helpers = ['but', 'withBadKeys', 'withoutScope', ...(isWrite ? ['compressed', 'tooLarge', 'withTakenKey'] : [])]
  const rest = [
    ...(notFound ? [`404: ${notFound},`] : []),
    ...(isWrite
      ? [
          `409: withTakenKey(${operationId}, '${operationId}'),`,
          `413: tooLarge(${operationId}),`,
          `415: compressed(${operationId}),`,
        ]
      : []),
  ]
  return `/** The scenarios of \`${operationId}\`: see \`scenarios.ts\`. */
${isWrite ? "import { randomUUID } from 'node:crypto'\n" : ''}import type { Caller } from './caller.ts'
import { ${helpers.join(', ')} } from './refusals.ts'
import type { Request } from './request.ts'

export const ${operationId}Scenarios = {
  200: ${answers},
  400: ${invalid},
  401: withBadKeys(${operationId}),
  403: { insufficient_scope: withoutScope(${operationId}, '${scope}') },
  ${rest.join('\n  ')}
}

export async function ${operationId}({ key }: Caller): Promise<Request> {
  return ${request}
}
`
}

interface TestParts {
  title: string
  body: string
  types: string
}

/** In `test/flows/`. */
export function buildTest({ operationId }: Naming, { title, body, types }: TestParts): string {
  return `import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

${types}
describe('${operationId}', () => {
  it('${title}', async () => {
    ${body}
  })
})
`
}
