/** Runs the examples of a provider file: each gives what it says, or it is named. */
import { isDeepStrictEqual } from 'node:util'
import type { PlacedFault } from '../../../kit/reading/formFaults.ts'
import { createReadTime, type ReadTime } from '../../../mapping/reportTime.ts'
import { writeXml } from '../../../mapping/xml.ts'
import { UnreadableReport } from '../../report.ts'
import { compileAnswer, readAnswer } from './answer.ts'
import type { ToldReply } from './inbound.ts'
import { compileReport, type ToldStatus } from './report.ts'
import type { ProviderFile } from './schema.ts'

type Example = ProviderFile['examples'][number]
type AnswerExample = Extract<Example, { answer: unknown }>
type As = ProviderFile['answer']['as'] | NonNullable<ProviderFile['report']>['as']
type ReportExample = Extract<Example, { report: unknown }>
type Given = ReportExample['gives'][number]

const readUtc = createReadTime()

/** @returns what is wrong, with the members that lead to it */
export function exampleFaults(file: ProviderFile): PlacedFault[] {
  const judge = compileAnswer(file.answer)
  const read = file.report && compileReport(file.report, file)
  return file.examples.flatMap((example, index) => {
    const path = ['examples', index]
    if ('answer' in example)
      return answerFaults(file, example, judge).map((fault) => ({ path: [...path, 'is'], fault }))
    if (!read || !file.report) return [{ path, fault: 'is a report, and the file has no report' }]
    return reportFaults(file.report.as, example, read).map((fault) => ({ path: [...path, 'gives'], fault }))
  })
}

function answerFaults(
  { answer: { as } }: ProviderFile,
  { answer, is }: AnswerExample,
  judge: ReturnType<typeof compileAnswer>,
): string[] {
  const retryAfter = Object.entries(answer.headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  const seconds =
    retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? { retryAfterSeconds: Number(retryAfter) } : {}
  const raw = { status: answer.status, body: Buffer.from(formatText(as, answer.body)), ...seconds }
  const { retryAfterSeconds, ...judged } = judge(raw)
  const told = differences({ ...judged, retry_after: retryAfterSeconds }, is)
  const isRead = as === 'text' || answer.body === undefined || readAnswer(as, raw).value !== undefined
  return told.length > 0 && !isRead ? [`the answer cannot be read with as: ${as}`] : told
}

function reportFaults(as: As, { report, gives }: ReportExample, read: ReturnType<typeof compileReport>): string[] {
  const text = formatText(as, report.body)
  try {
    const { told: parts, timeOf } = as === 'query' ? read(Buffer.alloc(0), text) : read(Buffer.from(text), '')
    const told = [...parts].filter((one) => one !== undefined)
    if (told.length !== gives.length)
      return [`the report tells of ${told.length || 'nothing'}, not of ${gives.length || 'nothing'}`]
    return told.flatMap((one, index) => differences(...atOneTime(one, gives[index]!, timeOf)))
  } catch (error) {
    if (error instanceof UnreadableReport) return [`the report cannot be read with as: ${as}`]
    throw error
  }
}

/** A time as the report has it, or when that is: then its zone is proven too. */
function atOneTime(got: ToldStatus | ToldReply, wanted: Given, timeOf: ReadTime): [got: object, wanted: object] {
  if (!('at' in got) || wanted.at === undefined || got.at === wanted.at) return [got, wanted]
  const [read, meant] = [timeOf(got.at), readUtc(wanted.at)]
  if (Number.isNaN(read) || Number.isNaN(meant)) return [got, wanted]
  return [
    { ...got, at: new Date(read).toISOString() },
    { ...wanted, at: new Date(meant).toISOString() },
  ]
}

/** What an example does not name, is not compared. */
function differences(got: object, wanted: object): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const own = (got as Record<string, unknown>)[name]
    if (isDeepStrictEqual(own, value)) return []
    const isUnread = name === 'from' && own === undefined && (got as ToldReply).reply !== 'other'
    return isUnread ? [unreadSender] : [`${name} is ${shown(own)}, not ${shown(value)}`]
  })
}

const unreadSender =
  'from is read as no phone: where it names no country, name those of the gateway, as in countries: [DE], beside request'

function shown(value: unknown): string {
  return value === undefined ? 'not there' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** As a provider writes it. */
function formatText(as: As, body: unknown): string {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  if (as === 'json' || as === 'text' || typeof body !== 'object' || body === null) return JSON.stringify(body)
  if (as === 'xml') return writeXml(body as Record<string, unknown>) ?? ''
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    for (const one of [value].flat())
      parameters.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  return parameters.toString()
}
