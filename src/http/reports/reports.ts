/** The providers' door: what they report of messages, and their question whether the address of it is ours. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Report } from '../../delivery/channel.ts'
import { OverlongReport, UnreadableReport } from '../../delivery/report.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { isUnavailable } from '../../store/engine/failure.ts'
import type { TextAnswer } from '../answer.ts'
import { announcedBytes, createIntake, type IntakeLimits, isAnnouncedOver, isPlainlyEncoded } from '../intake.ts'
import { createPostDoor, headersOf, type PostExchange } from '../postDoor.ts'
import { readTargetQuery } from '../target.ts'
import { type Reason, toReportRefusal } from './refusal.ts'
import { type Address, addressIn } from './route.ts'

export interface ReportsParts {
  /**
   * Takes a report, once its signature is found good: before that, it is not parsed.
   *
   * @returns `refused` when it is not the provider's own, `unknown` when there is no such connection, `busy` when it is to come again
   * @throws UnreadableReport when it is the provider's own and not of its form, OverlongReport, or what the database throws
   */
  accept: (address: Address, report: Report) => Promise<'accepted' | 'unknown' | 'refused' | 'busy'>
  /** Whether there is such a connection: of others, no body is read. */
  knows: (address: Address) => Promise<boolean>
  /** Whether a report of so many bytes is to come again later, whatever it says. */
  isFull: (address: Address, bytes: number) => boolean
  /** @returns what the provider wants to hear; undefined refuses it, as where there is no such connection */
  handshake: (address: Address, query: URLSearchParams) => Promise<string | undefined>
  runtime: Pick<Runtime, 'newTraceId' | 'log'> & Partial<Pick<Runtime, 'tracing'>>
  /** Whether the process is going away: then each answer is the last on its connection. */
  isStopping: () => boolean
  /** Told of every answer, for metrics. `refused`: one of a few words. */
  onReport: (report: { operation: string; status: number; seconds: number; refused: string | undefined }) => void
  limits?: Partial<IntakeLimits>
}

export interface Reports {
  listener: RequestListener
  /** Whether the body of a report is worth sending, by its head. */
  wantsBody: (request: IncomingMessage) => boolean
}

/** WhatsApp's reports have up to 3 MB. */
const standardLimits: IntakeLimits = { bytesMax: 3 * 1024 * 1024, bytesAtOnceMax: 48 * 1024 * 1024 }

/** What came of a request. */
type Outcome = 'accepted' | Reason | { challenge: string }

export function createReports({
  accept,
  knows,
  isFull,
  handshake,
  runtime,
  isStopping,
  onReport,
  limits,
}: ReportsParts): Reports {
  const { bytesMax, bytesAtOnceMax } = { ...standardLimits, ...limits }
  const intake = createIntake({ bytesMax, bytesAtOnceMax })

  /** Why a request is refused that has no more than a head yet. */
  const faultIn = (request: IncomingMessage): Reason | undefined => {
    const address = addressIn(request.url ?? '')
    const fault = findFault(request, bytesMax)
    if (fault || !address || operationOf(request) !== 'report') return fault
    return isFull(address, announcedBytes(request, bytesMax)) ? 'busy' : undefined
  }

  const serve = async (exchange: PostExchange<Address, Outcome>): Promise<Outcome> => {
    const { request, address } = exchange
    const fault = faultIn(request)
    if (fault || !address) return fault ?? 'unknown'
    const { method = '', url: target = '' } = request
    if (method === 'GET' && address.hasToken) {
      const result = await accept(address, { method, target, headers: headersOf(request), body: Buffer.alloc(0) })
      return result === 'refused' ? 'signature' : result
    }
    if (method !== 'POST') {
      const challenge = await handshake(address, new URLSearchParams(readTargetQuery(target)))
      return challenge === undefined ? 'handshake' : { challenge }
    }
    if (!(await knows(address))) return 'unknown'
    const result = await intake.read(request, (body) => {
      exchange.bytes = body.length
      return accept(address, { method, target, headers: headersOf(request), body })
    })
    return result === 'refused' ? 'signature' : result
  }

  return {
    wantsBody: (request) => faultIn(request) === undefined,
    listener: createPostDoor({
      ...{ name: 'report', addressIn, operationOf, serve, refusedIn, answerOf, runtime, isStopping },
      factsOf: ({ accountId: account, connection }: Address) => ({ account, connection }),
      outcomeOf: toReason,
      isFault: (outcome) => outcome === 'failed',
      onAnswered: onReport,
    }),
  }
}

function findFault(request: IncomingMessage, bytesMax: number): Reason | undefined {
  const { url = '', method = '' } = request
  if (!addressIn(url)) return 'unknown'
  if (!['GET', 'HEAD', 'POST'].includes(method)) return 'method'
  if (method !== 'POST') return undefined
  if (!isPlainlyEncoded(request)) return 'encoding'
  return isAnnouncedOver(request, bytesMax) ? 'too_large' : undefined
}

function toReason(error: unknown): Reason {
  if (error instanceof UnreadableReport) return 'unreadable'
  if (error instanceof OverlongReport) return 'too_many'
  return isUnavailable(error) ? 'unavailable' : 'failed'
}

function answerOf(outcome: Outcome): TextAnswer {
  // Nothing: some providers send the answer to a reply on to the person.
  if (outcome === 'accepted') return { status: 200, type: 'text/plain; charset=utf-8', text: '' }
  if (typeof outcome === 'string') return toReportRefusal(outcome)
  return { status: 200, type: 'text/plain; charset=utf-8', text: outcome.challenge }
}

function operationOf({ method, url = '' }: IncomingMessage): string {
  if (method === 'POST' || (method === 'GET' && addressIn(url)?.hasToken)) return 'report'
  return method === 'GET' || method === 'HEAD' ? 'handshake' : 'none'
}

function refusedIn(outcome: Outcome | undefined): Reason | undefined {
  return typeof outcome === 'string' && outcome !== 'accepted' ? outcome : undefined
}
