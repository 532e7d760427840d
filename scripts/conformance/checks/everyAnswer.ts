/** Every answer of the whole run, held to the contract: so this comes last. */
import { operationFacts } from '../../../src/contract/document.ts'
import type { Check, Suite } from '../check.ts'
import { noOperation } from '../deployment.ts'
import { Broken, NotTried } from '../finding.ts'

/** As many faults as are told of one operation. */
const faultsMax = 10

export const everyAnswer: Suite = {
  name: 'every answer',
  checks: [
    ...operationFacts.map(({ operationId }) =>
      judged(operationId, `${operationId}: every answer is as the contract has it, with no field and no header beside`),
    ),
    judged(noOperation, 'outside of the operations: every answer has the form of an error'),
  ],
}

function judged(name: string, title: string): Check {
  return {
    title,
    run: async ({ faults }) => {
      const found = faults.get(name)
      if (!found) throw new NotTried('it was asked nothing')
      const told = [...found].slice(0, faultsMax)
      const more = found.size - told.length
      if (more > 0) told.push(`and ${more} more`)
      if (told.length > 0) throw new Broken(told)
    },
  }
}
