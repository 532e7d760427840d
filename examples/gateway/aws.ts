/** The back end: AWS End User Messaging, with each request signed by SigV4. What became of a text comes from a queue. */
import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { required } from './required.ts'

export interface Post {
  id: string
  phone: string
  text: string
  expires_at?: string
}

interface Report {
  id: string
  status: 'delivered' | 'failed'
  at: Date
  error?: string
}

const { AWS_REGION, SMS_FROM, CONFIGURATION_SET, QUEUE_URL } = required(
  ...(['AWS_REGION', 'SMS_FROM', 'CONFIGURATION_SET', 'QUEUE_URL'] as const),
)
/** Watchword waits 8 seconds for an answer; the queue waits 20 for the next event. */
const [sendMs, receiveMs] = [6000, 30_000]

/** One try: a second one could send the text twice. Watchword knows whether to try again. */
const sms = new PinpointSMSVoiceV2Client({ region: AWS_REGION, maxAttempts: 1 })
const queue = new SQSClient({ region: AWS_REGION })

/** @returns the id that AWS has for the text @throws what `statusOf` knows */
export async function send({ id, phone, text, expires_at }: Post): Promise<string> {
  const command = new SendTextMessageCommand({
    DestinationPhoneNumber: phone,
    MessageBody: text,
    MessageType: 'TRANSACTIONAL',
    OriginationIdentity: SMS_FROM,
    ConfigurationSetName: CONFIGURATION_SET,
    // AWS takes 5 seconds to three days. Each event of the text has the context.
    ...(expires_at && { TimeToLive: Math.min(Math.max(secondsTo(expires_at), 5), 259_200) }),
    Context: { watchword: id },
  })
  const { MessageId } = await sms.send(command, { abortSignal: AbortSignal.timeout(sendMs) })
  return `${MessageId}`
}

/** The answer to Watchword. 403: the connection rests until this is corrected; 422: the next connection is asked; 503: later. */
export function statusOf({ name }: Error): number {
  if (['ValidationException', 'ConflictException'].includes(name)) return 422
  if (name === 'ThrottlingException') return 503
  const yours = /^(AccessDenied|ExpiredToken|InvalidSignature|UnrecognizedClient|ResourceNotFound|ServiceQuotaExceeded)/
  // After anything else, the text may have been sent: Watchword asks the next connection for a code.
  return yours.test(name) || name === 'CredentialsProviderError' ? 403 : 502
}

/** Waits for events. @returns what they report, and what takes them out of the queue: until then they come again */
export async function receiveReports(): Promise<{ reports: Report[]; forget: () => Promise<void> }> {
  const wanted = { QueueUrl: QUEUE_URL, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }
  const received = await queue.send(new ReceiveMessageCommand(wanted), { abortSignal: AbortSignal.timeout(receiveMs) })
  const messages = received.Messages ?? []
  const forget = async () => {
    const Entries = messages.map(({ ReceiptHandle }, place) => ({ Id: `${place}`, ReceiptHandle }))
    if (Entries.length > 0) await queue.send(new DeleteMessageBatchCommand({ QueueUrl: QUEUE_URL, Entries }))
  }
  return { reports: messages.flatMap(({ Body = '' }) => toReports(Body)), forget }
}

const failures = ['BLOCKED', 'CARRIER_BLOCKED', 'CARRIER_UNREACHABLE', 'INVALID', 'INVALID_MESSAGE', 'PROTECT_BLOCKED']
const failed = new Set([...failures, 'SPAM', 'TTL_EXPIRED', 'UNREACHABLE'].map((name) => `TEXT_${name}`))

/** @returns none for what says nothing yet, and for texts of others */
function toReports(body: string): Report[] {
  const { eventType, eventTimestamp, context } = readEvent(body)
  if (!context?.watchword) return []
  const report = { id: context.watchword, at: new Date(eventTimestamp) }
  if (eventType === 'TEXT_DELIVERED') return [{ ...report, status: 'delivered' }]
  return failed.has(eventType) ? [{ ...report, status: 'failed', error: eventType }] : []
}

function readEvent(body: string) {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

function secondsTo(time: string): number {
  return Math.round((Date.parse(time) - Date.now()) / 1000)
}
