/** Asks a provider whether what is configured is good, without sending. */

import { findTextBy } from '../../../mapping/pointer.ts'
import type { Finding } from '../../channel.ts'
import { type RawAnswer, readAnswer } from './answer.ts'
import type { AskedProvider } from './asking/asking.ts'
import type { ProviderFile } from './schema.ts'

export interface ProbeParts {
  file: ProviderFile
  /** What came of asking; undefined where the file says none. */
  asked: AskedProvider | undefined
  onBalance: ((amount: number) => void) | undefined
}

export function probe({ file, asked, onBalance }: ProbeParts): Finding {
  if (!asked || asked === 'unfit')
    return { level: 'good', text: `settings taken; ${file.title} can be tried with a message only` }
  if ('kind' in asked) return { level: 'bad', text: asked.reason }
  const { answer } = asked
  if (answer.kind !== 'answered') return { level: 'bad', text: `no answer from ${file.title}: ${answer.reason}` }
  const { status } = answer
  if ([401, 402, 403].includes(status))
    return { level: 'bad', text: `${file.title} refuses the settings: status ${status}` }
  if (status < 200 || status >= 300)
    return { level: 'warning', text: `${file.title} answers with status ${status}: nothing is known of the settings` }
  const taken: Finding = { level: 'good', text: `${file.title} takes the settings` }
  if (file.probe?.balance === undefined) return taken
  const told = balanceIn(file, answer)
  if (told === undefined) {
    const text = `${file.title} answers with status ${status}, but no balance is in the answer: the settings may be wrong`
    return { level: 'warning', text }
  }
  const balance = amountIn(told)
  if (balance === undefined) return taken
  onBalance?.(balance)
  return { level: 'good', text: `${taken.text}; balance ${balance}` }
}

/** Many gateways refuse with status 200, and a text in place of the balance. */
function balanceIn({ probe, answer: { as } }: ProviderFile, answer: RawAnswer): string | undefined {
  return findTextBy(probe?.balance)(readAnswer(as === 'xml' ? as : 'json', answer).value)
}

/** Some write a currency before it; where there is no limit, some write a word in its place. */
function amountIn(told: string): number | undefined {
  const [amount] = /-?\d{1,12}(\.\d{1,12})?/.exec(told) ?? []
  return amount === undefined ? undefined : Number(amount)
}
