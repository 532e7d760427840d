/** What a channel reads in a report. */
import type { Receipt, ReportPart } from '../../src/delivery/channel.ts'
import { isReply } from '../../src/delivery/report.ts'

/** What it tells of messages. */
export function receiptsIn(told: Iterable<ReportPart | undefined>): Receipt[] {
  return [...told].filter((one) => one !== undefined).filter((one): one is Receipt => !isReply(one))
}
