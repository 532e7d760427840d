/** What channels share in reading a report: a digest, a body, a time, a word. What is not as it should be, is said without quoting it. */
import type { z } from 'zod'
import { type JsonLimits, OversizedJson, parseBoundedJson } from '../kit/reading/boundedJson.ts'
import type { InboundReply, ReportPart, TemplateNews } from './channel.ts'

/** A report that is its provider's own, and not of the form that the channel knows. Holds nothing of it. */
export class UnreadableReport extends Error {
  override readonly name = 'UnreadableReport'

  constructor() {
    super('the report is not of the form that the channel knows')
  }
}

/** What one report may tell: more than any provider sends in one body. */
export const reportItemsMax = 5000

/** A report of more than `reportItemsMax` messages: its provider has to send fewer at once. Holds nothing of it. */
export class OverlongReport extends Error {
  override readonly name = 'OverlongReport'

  constructor() {
    super(`the report tells of more than ${reportItemsMax} messages`)
  }
}

/** Of JSON: what the fullest report of a provider has for each message, for as many messages as a report may tell of. */
const jsonLimits: JsonLimits = {
  containersMax: 8 * reportItemsMax,
  membersMax: 30 * reportItemsMax,
  itemsMax: 2 * reportItemsMax,
}

/** Of what a report tells: what a person answered, and nothing of a message. */
export function isReply(told: ReportPart): told is InboundReply {
  return 'reply' in told
}

/** Of what a report tells: of a template, and nothing of a message. */
export function isTemplateNews(told: ReportPart): told is TemplateNews {
  return 'word' in told
}

/** @returns the same list @throws OverlongReport */
export function requireFew<Item>(items: Item[]): Item[] {
  if (items.length > reportItemsMax) throw new OverlongReport()
  return items
}

/** @returns the 32 bytes of a SHA-256 in lower-case hex digits, and of nothing else */
export function digestOf(hex: string | undefined): Buffer | undefined {
  return hex !== undefined && /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : undefined
}

/** @throws UnreadableReport, OverlongReport */
export function readJson<Form>(body: Buffer, form: z.ZodType<Form>): Form {
  return readForm(parseReportJson(body), form)
}

/** @throws UnreadableReport */
export function readForm<Form>(value: unknown, form: z.ZodType<Form>): Form {
  const { success, data } = form.safeParse(value)
  if (!success) throw new UnreadableReport()
  return data
}

/** @throws UnreadableReport, OverlongReport */
export function parseReportJson(body: Buffer): unknown {
  try {
    return parseBoundedJson(body, jsonLimits)
  } catch (error) {
    if (error instanceof OversizedJson) throw new OverlongReport()
    throw error instanceof SyntaxError ? new UnreadableReport() : error
  }
}

/** Milliseconds for which a provider repeats what it could not report. */
const repeatedMs = 30 * 24 * 3600 * 1000

/** A provider's time, in milliseconds of Unix time; where it cannot be, as with a clock that runs ahead, now. */
export function toReportTime(ms: number, now: Date): Date {
  const age = now.getTime() - ms
  return age >= 0 && age <= repeatedMs ? new Date(ms) : now
}

/**
 * When a person said something, by a provider's time. Of one in whole seconds, it is the end of that second: what the account did
 * in it counts as before.
 */
export function toReplyTime(ms: number, now: Date): Date {
  const end = ms % 1000 === 0 ? ms + 999 : ms
  return toReportTime(Math.min(end, Math.max(ms, now.getTime())), now)
}

/** A word of a provider that may be shown: a sentence could quote the message, and many digits are a phone, also with marks between them. */
export function wordOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x21-\x7e]{1,100}$/.test(text) && !/(\d[-.()/]*){9}/.test(text) ? text : undefined
}
