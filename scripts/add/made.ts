/** The files that are new, for each verb. */
import { exampleId, exampleName, notFoundCode } from './contractParts.ts'
import type { Naming } from './naming.ts'
import { buildScenarios, buildTest } from './tests.ts'

export interface Made {
  handler: string
  scenarios: string
  test: string
  /** What else there is, by path. */
  made?: Record<string, string>
}

export function madeFor(naming: Naming): Made {
  return { list, get, create }[naming.verb](naming)
}

function list(naming: Naming): Made {
  const { operationId, type, many, fields, path } = naming
  return {
    handler: `import type { Reply } from '../../../contract/operation.ts'
import type { Handler } from '../handler.ts'

interface ${type} {
  id: string
  name: string
}

/** The example of the contract, until the domain has ${many}. */
const known: readonly ${type}[] = [${exampleOf(naming)}]

export const ${operationId}: Handler<'${operationId}', readonly ${type}[]> = {
  act: async ({ query: { limit, after } }) => known.filter(({ id }) => after === undefined || id > after).slice(0, limit),

  reply: (page): Reply<'${operationId}'> => ({
    status: 200,
    data: { ${fields}: page.map(({ id, name }) => ({ id, name })), next: null },
  }),
}
`,
    scenarios: buildScenarios(naming, {
      answers: `{ page: ${operationId}, end: but(${operationId}, { query: { after: '${exampleId(naming)}' } }) }`,
      invalid: `{ invalid_request: but(${operationId}, { query: 'limit=101' }) }`,
      request: '{ key }',
    }),
    test: buildTest(naming, {
      title: `lists the ${many} of the account, page by page`,
      body: `const { status, data } = await server.test.get<Page>('${path}?limit=1')
    expect(status).toBe(200)
    expect(data.${fields}).toHaveLength(1)
    const rest = await server.test.get<Page>(\`${path}?after=\${data.${fields}[0]!.id}\`)
    expect(rest.data).toEqual({ ${fields}: [], next: null })`,
      types: `interface Page {\n  ${fields}: { id: string; name: string }[]\n  next: string | null\n}\n`,
    }),
  }
}

function get(naming: Naming): Made {
  const { operationId, one, many, path } = naming
  const code = notFoundCode(naming)
  const known = path.replace('{id}', exampleId(naming))
  return {
    handler: `import type { Reply } from '../../../contract/operation.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Handler } from '../handler.ts'

/** The example of the contract, until the domain has ${many}. */
const known = ${exampleOf(naming)}

export const ${operationId}: Handler<'${operationId}', typeof known> = {
  act: async ({ path: { id } }) => (id === known.id ? known : new Problem('${code}')),

  reply: ({ id, name }): Reply<'${operationId}'> => ({ status: 200, data: { id, name } }),
}
`,
    scenarios: buildScenarios(naming, {
      answers: `{ found: ${operationId} }`,
      invalid: `{ invalid_request: but(${operationId}, { path: { id: '0'.repeat(65) } }) }`,
      notFound: `{ ${code}: but(${operationId}, { path: { id: 'unknown' } }) }`,
      request: `{ key, path: { id: '${exampleId(naming)}' } }`,
    }),
    test: buildTest(naming, {
      title: `finds the ${one} that has the id, and says so where none has it`,
      body: `expect(await server.test.get('${known}')).toMatchObject({ status: 200, data: ${exampleOf(naming)} })
    expect(await server.test.get('${path.replace('{id}', 'unknown')}')).toMatchObject({ status: 404, data: { code: '${code}' } })`,
      types: '',
    }),
  }
}

function create(naming: Naming): Made {
  const { operationId, one, type, path } = naming
  return {
    handler: `import type { Reply } from '../../../contract/operation.ts'
import type { New${type} } from '../../../domain/sending/added/${operationId}.ts'
import type { Handler } from '../handler.ts'

export const ${operationId}: Handler<'${operationId}', New${type}> = {
  act: ({ body: { name }, caller, once }, services) => services.${operationId}({ caller, once, name }),

  reply: ({ id, name }): Reply<'${operationId}'> => ({ status: 200, data: { id, name } }),
}
`,
    scenarios: buildScenarios(naming, {
      answers: `{ created: but(${operationId}, { body: { name: '${exampleName}' } }) }`,
      invalid: `{ invalid_request: but(${operationId}, { body: {} }), invalid_json: but(${operationId}, { body: '{' }) }`,
      request: '{ key, body: { name: randomUUID() } }',
    }),
    test: buildTest(naming, {
      title: `creates the ${one} once under one Idempotency-Key`,
      body: `const ask = () => server.test.post('${path}', { name: 'First' }, { 'Idempotency-Key': 'first' })
    const first = await ask()
    expect(first).toMatchObject({ status: 200, data: { name: 'First' } })
    expect((await ask()).text).toBe(first.text)`,
      types: '',
    }),
    made: { [`src/domain/sending/added/${operationId}.ts`]: findRule(naming) },
  }
}

function findRule({ operationId, type, field }: Naming): string {
  return `import type { ErrorCodeOf } from '../../../contract/operation.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import { isAnyOpen, type Step } from '../../../store/engine/step.ts'
import type { Caller } from '../../access/authentication.ts'
import type { Idempotency, Keyed, KeyedOutcome } from '../idempotency.ts'

export interface New${type} {
  id: string
  name: string
}

interface Create${type}Input extends Keyed {
  caller: Caller
  name: string
}

export type Create${type} = (
  input: Create${type}Input,
) => Promise<KeyedOutcome<New${type}, ErrorCodeOf<'${operationId}'>>>

interface Create${type}Parts {
  idempotency: Pick<Idempotency, 'share' | 'steps'>
  runtime: Pick<Runtime, 'newId'>
}

type Draft = Keyed & New${type} & { accountId: string }

export function createCreate${type}({ idempotency, runtime }: Create${type}Parts): Create${type} {
  const submit = idempotency.share<Draft, New${type}>({
    ownerOf: ({ accountId }) => accountId,
    steps: () => {
      const { claimKeys, keepAnswers } = idempotency.steps()
      return [claimKeys, keep, keepAnswers]
    },
  })
  return ({ caller: { accountId }, once, name }) =>
    submit({ accountId, once, id: \`${field}_\${runtime.newId()}\`, name })
}

/** Its statement belongs here, in the transaction of the answer. Until then, the answer alone is kept. */
const keep: Step<Draft, New${type}> = {
  isNeeded: isAnyOpen,
  run: async (_tx, group) => {
    for (const draft of group.open()) group.decide(draft, { id: draft.id, name: draft.name })
  },
}
`
}

const exampleOf = (naming: Naming) => `{ id: '${exampleId(naming)}', name: '${exampleName}' }`
