/** Asks a provider whether what is configured is good, without sending. */

import { findBy, findTextBy } from '../../../mapping/pointer.ts'
import { createReadTime } from '../../../mapping/reportTime.ts'
import type { Finding } from '../../channel.ts'
import { type RawAnswer, readAnswer } from './answer.ts'
import type { AskedProvider } from './asking/asking.ts'
import type { RequestParts } from './request.ts'
import type { ProviderFile } from './schema.ts'
import { createFill, type MessageValues } from './template.ts'

export interface ProbeParts {
  file: ProviderFile
  /** What came of asking; undefined where the file says none. */
  asked: AskedProvider | undefined
  parts: Pick<RequestParts, 'settings' | 'declared'>
  /** What its placeholders stand for. */
  values: MessageValues
  now: Date
  onBalance: ((amount: number) => void) | undefined
}

export function probe(probed: ProbeParts): Finding[] {
  const found = judgeAnswer(probed)
  const { asked } = probed
  const isTaken = found.level === 'good' && typeof asked === 'object' && 'answer' in asked
  const phone = isTaken && asked.answer.kind === 'answered' && judgeHeartbeat(probed, asked.answer)
  return phone ? [found, phone] : [found]
}

function judgeAnswer({ file, asked, onBalance }: ProbeParts): Finding {
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
  return findTextBy(probe?.balance)(readProbe(as, answer))
}

function readProbe(as: ProviderFile['answer']['as'], answer: RawAnswer): unknown {
  return readAnswer(as === 'xml' ? as : 'json', answer).value
}

/** The phone of an app that answers for it. @returns undefined where it was heard of, and where the file does not say */
function judgeHeartbeat({ file, parts, values, now }: ProbeParts, answer: RawAnswer): Finding | undefined {
  const heartbeat = file.probe?.heartbeat
  if (!heartbeat) return undefined
  const { each, only = {}, at, within } = heartbeat
  const value = readProbe(file.answer.as, answer)
  const listed = [each === undefined ? value : findBy(each)(value)].flat()
  const wanted = Object.entries(only).map(([pointer, text]) => {
    const wish = createFill(text, parts.settings, parts.declared)(values)
    return { find: findTextBy(pointer), wish }
  })
  const meant = listed.filter((phone) => wanted.every(({ find, wish }) => find(phone) === wish))
  const [find, readTime] = [findTextBy(at), createReadTime()]
  const heardMs = meant.map((phone) => readTime(find(phone))).filter((ms) => !Number.isNaN(ms))
  if (heardMs.length === 0)
    return { level: 'warning', text: `${file.title} has not heard of the phone: see that its app is set up` }
  const last = heardMs.reduce((one, other) => Math.max(one, other))
  if (now.getTime() - last <= within * 1000) return undefined
  const text = `${file.title} last heard of the phone at ${new Date(last).toISOString()}`
  return { level: 'warning', text: `${text}: see that it is on and online, and that its app runs` }
}

/** Some write a currency before it; where there is no limit, some write a word in its place. */
function amountIn(told: string): number | undefined {
  const [amount] = /-?\d{1,12}(\.\d{1,12})?/.exec(told) ?? []
  return amount === undefined ? undefined : Number(amount)
}
