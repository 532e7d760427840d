/** Every answer that the contract documents, made to happen. */
import { type DocumentedAnswer, documentedAnswers } from '../../contract/documented.ts'
import type { Check, Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { demandSame, NotTried } from '../finding.ts'
import { namedScenarios, type Scenario, scenarios } from '../scenarios.ts'

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
      const told = Object.keys(data).filter((field) => isTelling(data[field]))
      const pick = (from: Record<string, unknown>) => told.map((field) => from[field])
      demandSame([answer.status, ...pick(answer.data)], [Number(status), ...pick(data)], ['status', ...told].join(', '))
    },
  }
}

/** Whether it says which answer this is: ids and times are of the one request. */
function isTelling(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^[a-z_]+$/.test(value))
}
