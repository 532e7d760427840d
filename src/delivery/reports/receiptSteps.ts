/** What receipts are to messages: which one each is about, and what follows for it. */
import type { Transition } from '../../domain/sending/message.ts'
import type { Tx } from '../../store/engine/session.ts'
import { findTakenLegs } from '../../store/sending/delivery.ts'
import type { MessageKey } from '../../store/sending/message.ts'
import type { Receipt, Reporter } from '../channel.ts'
import { operatorFault, takenStep } from '../settlement.ts'
import { type Early, earlySeconds } from './early.ts'

/** Receipts that came together. */
export interface Draft {
  reporter: Reporter | undefined
  receipts: Receipt[]
  /** How often they were looked for before. */
  tries: number
  /** Of the request that brought them. */
  trace?: string | undefined
  /** The job that brought them. */
  job?: { queue: string; id: string }
}

/** What a receipt says of a message. That one SMS of a text arrived proves besides that the provider took the text. */
export function stepsOfReceipt(receipt: Receipt, message: MessageKey & { connection: string }): Transition[] {
  const step = toStep(receipt, message)
  if (step.part === undefined) return [step]
  const { accountId, id, connection } = message
  const taken = { accountId, id, connection, at: step.at, ...takenStep(connection, receipt.providerMessageId) }
  return [taken, step]
}

function toStep(receipt: Receipt, { accountId, id, connection }: MessageKey & { connection: string }): Transition {
  const { status, at, errorCode, reason, providerCode, price, part, isHearsay = false } = receipt
  const told = { accountId, id, connection, at, ...(price && { price }) }
  if (receipt.isPriceAlone) return told
  if (isHearsay && (status === 'delivered' || status === 'read')) {
    // That the provider took it is proven by that, also when its answer was lost.
    const note = `${connection}: reported as ${status}, which is not proven`
    return { ...told, ...takenStep(connection, receipt.providerMessageId), note }
  }
  const step: Transition = { ...told, status }
  if (providerCode !== undefined) step.providerCode = providerCode
  if (reason !== undefined) step.note = `${connection}: ${reason}`
  if (status === 'sent') return { ...step, ...takenStep(connection, receipt.providerMessageId) }
  if (part) return { ...step, part, note: `${connection}: one of ${part.of} SMS arrived` }
  if (status !== 'failed') return step
  const fault = errorCode === operatorFault.errorCode ? operatorFault : { errorCode: errorCode ?? 'not_delivered' }
  return { ...step, ends: true, ...fault, isMarketingAlone: receipt.isMarketingAlone ?? false }
}

/** The messages that receipts are about, by our own word or by the provider's. What is known under neither may be early. */
export async function findSteps(tx: Tx, drafts: Draft[]): Promise<{ steps: Transition[]; early: Early[] }> {
  const named = drafts.flatMap(({ reporter, receipts }) =>
    receipts.flatMap(({ message, providerMessageId }) =>
      !message && reporter && providerMessageId !== undefined && isAscii(providerMessageId)
        ? [{ ...reporter, providerMessageId }]
        : [],
    ),
  )
  const ids = named.length > 0 ? await findTakenLegs(tx, named) : []
  const idOf = new Map(named.map((leg, index) => [nameOf(leg), ids[index]]))
  const early: Early[] = []
  const steps = drafts.flatMap(({ reporter, receipts, tries }) => {
    const unknown: Receipt[] = []
    const known = receipts.flatMap((receipt) => {
      const connection = receipt.connection ?? reporter?.connection
      if (connection === undefined) return []
      if (receipt.message)
        return isOf(reporter, receipt.message) ? stepsOfReceipt(receipt, { ...receipt.message, connection }) : []
      if (!reporter) return []
      const { providerMessageId, orMessage } = receipt
      const id = providerMessageId === undefined ? undefined : idOf.get(nameOf({ ...reporter, providerMessageId }))
      if (id !== undefined) return stepsOfReceipt(receipt, { accountId: reporter.accountId, id, connection })
      if (orMessage && isOf(reporter, orMessage)) return stepsOfReceipt(receipt, { ...orMessage, connection })
      if (providerMessageId !== undefined) unknown.push(receipt)
      return []
    })
    if (reporter && unknown.length > 0 && tries < earlySeconds.length) {
      early.push({
        reporter,
        tries,
        receipts: unknown.map((receipt) => ({ ...receipt, at: receipt.at.toISOString() })),
      })
    }
    return known
  })
  return { steps: distinct(steps, saidOf), early }
}

/** Prices that count of one message, of those that one connection names at once: a report corrects an answer, perhaps twice. */
const pricesMax = 4

/**
 * Of what has one name, what is said first, by its price and the SMS that it is about: what is said again moves nothing, and takes a
 * round of its own. Both are a provider's to invent: of a few thousand for one message, the first ones count.
 */
function distinct<One extends Pick<Transition, 'price' | 'part'>>(
  list: readonly One[],
  nameOf: (one: One) => string,
): One[] {
  const said = new Map<string, Set<string>>()
  return list.filter((one) => {
    const { price, part } = one
    const known = said.get(nameOf(one)) ?? new Set<string>()
    const news = `${price?.amount} ${price?.currency} ${part?.id}`
    if (known.has(news) || known.size >= Math.max(pricesMax, part?.of ?? 0)) return false
    said.set(nameOf(one), known.add(news))
    return true
  })
}

/** Of each message what a connection says first, by status. One that was taken can be reported as arrived besides, without a proof. */
function saidOf({ accountId, id, connection, status, taken, note }: Transition): string {
  return `${accountId} ${id} ${connection} ${status} ${taken ? note : ''}`
}

/** The same of a whole report, whose parts are not compared with each other: by what it names its messages by. */
export function keepFirst(receipts: readonly Receipt[]): Receipt[] {
  return distinct(receipts, ({ connection, message, providerMessageId, orMessage, status, isHearsay }) =>
    JSON.stringify([connection, message ?? [providerMessageId, orMessage], status, isHearsay]),
  )
}

/** A provider may speak of the messages of the account whose connection it is, and what the store cannot be asked for is no id of ours. */
export function isOf(reporter: Reporter | undefined, { accountId, id }: MessageKey): boolean {
  return [accountId, id].every(isAscii) && (!reporter || reporter.accountId === accountId)
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text)
}

function nameOf({ accountId, connection, providerMessageId }: Reporter & { providerMessageId: string }): string {
  return `${accountId} ${connection} ${providerMessageId}`
}
