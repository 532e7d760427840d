/** The code of an operation: files that are new, and lines that are put into files which are there. */
import { madeFor } from './made.ts'
import type { Naming } from './naming.ts'

interface Line {
  /** A whole line that is there once. */
  anchor: string
  place: 'before' | 'after'
  text: string
}

export interface CodeParts {
  /** Text by path. */
  made: Record<string, string>
  /** By path. Where lines of imports stand does not matter: the style puts them in order. */
  changed: Record<string, readonly Line[]>
}

const scenariosFile = (operationId: string) => `scripts/conformance/${operationId}Scenarios.ts`

export function buildCodeParts(naming: Naming): CodeParts {
  const { operationId, verb, type } = naming
  const parts = madeFor(naming)
  const keyed = verb === 'create' ? `409: withTakenKeys(${operationId}, '${operationId}'),` : ''
  return {
    made: {
      [`src/http/api/operations/${operationId}.ts`]: parts.handler,
      [scenariosFile(operationId)]: parts.scenarios,
      [`test/flows/${operationId}.test.ts`]: parts.test,
      ...parts.made,
    },
    changed: {
      'src/http/api/operations/index.ts': [
        after(
          "import type { Handlers, Operations } from '../handler.ts'",
          `import { ${operationId} } from './${operationId}.ts'`,
        ),
        before('} satisfies Handlers', `  ${operationId},`),
      ],
      'scripts/conformance/scenarios.ts': [
        before(
          "import { optOutScenarios } from './optOutScenarios.ts'",
          `import { ${operationId}Scenarios } from './${operationId}Scenarios.ts'`,
        ),
        before('  ...optOutScenarios,', `  ${operationId}: ${operationId}Scenarios,`),
      ],
      'test/contract/scenarios.ts': [
        before(
          "import { askOptOut } from '../../scripts/conformance/optOutScenarios.ts'",
          `import { ${operationId} } from '../../${scenariosFile(operationId)}'`,
        ),
        before(
          "  addOptOut: { ...outside.scenarios.addOptOut, ...ofOptOuts('addOptOut') },",
          `  ${operationId}: { ...outside.scenarios.${operationId}, ...refusedByAll(withNewKey(${operationId}), 'api_key'), ${keyed} },`,
        ),
      ],
      ...(verb === 'create' ? wiring(type) : {}),
    },
  }
}

/** Where the rule of a write is put together with what it needs, and given to handlers. */
function wiring(type: string): CodeParts['changed'] {
  const name = `create${type}`
  const from = `domain/sending/added/${name}.ts'`
  return {
    'src/http/api/handler.ts': [
      before(
        "import type { Keyed, KeyedOutcome } from '../../domain/sending/idempotency.ts'",
        `import type { Create${type} } from '../../${from}`,
      ),
      after('  messages: Messages', `  ${name}: Create${type}`),
    ],
    'src/app/sending.ts': [
      before(
        "import { liveLimits } from '../domain/sending/limit.ts'",
        `import { createCreate${type} } from '../${from}`,
      ),
      after(
        '    messages: createMessages({ commit, runtime, lookup, kindsOf }),',
        `    ${name}: createCreate${type}({ idempotency, runtime }),`,
      ),
    ],
  }
}

const before = (anchor: string, text: string): Line => ({ anchor, place: 'before', text })
const after = (anchor: string, text: string): Line => ({ anchor, place: 'after', text })
