/** Every answer that the contract documents, made to happen. */
import { type DocumentedAnswer, documentedAnswers } from '../../contract/documented.ts'
import type { Scenario } from '../caller.ts'
import type { Check, Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { demandSame, NotTried } from '../finding.ts'
import { namedScenarios, scenarios } from '../scenarios.ts'

const playable = namedScenarios<Deployment>(scenarios)

export const answers: Suite = {
  name: 'answers',
  checks: documentedAnswers()
    .filter(({ name }) => playable.has(name))
    .map((documented) => played(documented, playable.get(documented.name)!)),
}

/** Those that nobody outside can make happen on purpose: they come last, because they may have been met on the way. */
export const otherAnswers: Suite = {
  name: 'other answers',
  checks: documentedAnswers()
    .filter(({ name }) => !playable.has(name))
    .map(({ name, status }) => ({
      title: name,
      run: async ({ seen }) => {
        if (Number(status) < 400 || !seen.has(name)) throw new NotTried('cannot be made to happen from outside')
      },
    })),
}

function played(
  { name, operationId, status, exampleName, example }: DocumentedAnswer,
  scenario: Scenario<Deployment>,
): Check {
  return {
    title: name,
    run: async (deployment) => {
      const answer = await deployment.ask(operationId, await scenario(deployment))
      const { data } = example as { data: Record<string, unknown> }
      if (Number(status) >= 400) {
        demandSame([answer.status, answer.data.code], [Number(status), exampleName], 'status and code')
        return
      }
      const fields = Object.keys(data)
      const shapes = (from: Record<string, unknown>) =>
        fields.map((field) => (ofTheMoment.has(field) ? 'of the moment' : describeShape(from[field])))
      const what = ['status', ...fields].join(', ')
      demandSame([answer.status, ...shapes(answer.data)], [Number(status), ...shapes(data)], what)
    },
  }
}

/** How many attempts there were so far, and whether a list goes on after its page. */
const ofTheMoment = new Set(['attempts', 'next'])

/** What says which answer this is: ids, times and numbers are of the one request, and how long a list is of the account. */
function describeShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? 'some' : 'none'
  if (value === null || typeof value === 'boolean') return value
  return typeof value === 'string' && /^[a-z_]+$/.test(value) ? value : typeof value
}
