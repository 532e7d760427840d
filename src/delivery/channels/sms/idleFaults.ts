/** What a file says and what can never have an effect. A connection that has it works; its writer means something else. */
import type { ProviderFile } from './schema.ts'

interface Told {
  path: PropertyKey[]
  fault: string
}

/** @returns what is wrong, with the members that lead to it */
export function idleFaults({ answer }: ProviderFile): Told[] {
  return [
    ...idlePointers(answer),
    ...answer.rules.flatMap(({ when }, index) =>
      Object.entries(when).flatMap(([member, wanted]) => {
        const fault = memberFault(member, answer.as) ?? valueFault(wanted)
        return fault === undefined ? [] : [{ path: ['answer', 'rules', index, 'when', member], fault }]
      }),
    ),
  ]
}

function idlePointers({ as, id, error, price, retry_after }: ProviderFile['answer']): Told[] {
  if (as !== 'text') return []
  const found = { id, error, price, retry_after: retry_after === 'header' ? undefined : retry_after }
  return Object.entries(found).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: ['answer', name], fault: `${nothing}: leave it out` }],
  )
}

const nothing = 'a pointer leads to nothing with as: text'

type When = ProviderFile['answer']['rules'][number]['when']

function memberFault(member: string, as: ProviderFile['answer']['as']): string | undefined {
  if (as !== 'text') return member === 'text' ? 'is there with as: text only' : undefined
  return member.startsWith('/') ? `${nothing}: write text or status` : undefined
}

function valueFault(wanted: When[string]): string | undefined {
  const isIdle = [wanted].flat().some((one) => String(one).slice(0, -1).includes('*'))
  return isIdle ? 'must have "*" at the end only: it stands for itself elsewhere' : undefined
}
