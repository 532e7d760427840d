/** Asks a provider whether what is configured is good, without sending. */
import type { OutboundAnswer, OutboundRequest } from '../../../outbound/client.ts'
import type { Finding } from '../../channel.ts'
import { findTextBy } from './pointer.ts'
import type { ProviderFile } from './schema.ts'

export interface ProbeParts {
  file: ProviderFile
  /** Undefined where the file says none, or it cannot be made. */
  question: OutboundRequest | undefined
  ask: (question: OutboundRequest) => Promise<OutboundAnswer>
  onBalance: ((amount: number) => void) | undefined
}

export async function probe({ file, question, ask, onBalance }: ProbeParts): Promise<Finding> {
  if (!question) return { level: 'good', text: `settings taken; ${file.title} can be tried with a message only` }
  const answer = await ask(question)
  if (answer.kind !== 'answered') return { level: 'bad', text: `no answer from ${file.title}: ${answer.reason}` }
  const { status } = answer
  if ([401, 402, 403].includes(status))
    return { level: 'bad', text: `${file.title} refuses the settings: status ${status}` }
  if (status < 200 || status >= 300)
    return { level: 'warning', text: `${file.title} answers with status ${status}: nothing is known of the settings` }
  const balance = balanceIn(file.probe?.balance, answer.body)
  if (balance === undefined) return { level: 'good', text: `${file.title} takes the settings` }
  onBalance?.(balance)
  return { level: 'good', text: `${file.title} takes the settings; balance ${balance}` }
}

function balanceIn(pointer: string | undefined, body: Buffer): number | undefined {
  if (pointer === undefined) return undefined
  try {
    // Some write a currency before it.
    const [amount] = /-?\d{1,12}(\.\d{1,12})?/.exec(findTextBy(pointer)(JSON.parse(body.toString())) ?? '') ?? []
    return amount === undefined ? undefined : Number(amount)
  } catch {
    return undefined
  }
}
