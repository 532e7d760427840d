/** AWS, played on this machine: what of it the gateway asks for, so that you can try the gateway without an account. */
import { createHash, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import express, { type Request } from 'express'

const { AWS_ACCESS_KEY_ID = 'played', PORT = '4566' } = process.env

interface Held {
  MessageId: string
  ReceiptHandle: string
  Body: string
  MD5OfBody: string
}

/** What the gateway asks with: of each action its own. */
interface Input {
  DestinationPhoneNumber: string
  MessageBody: string
  Context: object
  MaxNumberOfMessages: number
  WaitTimeSeconds: number
  Entries: { Id: string; ReceiptHandle: string }[]
}

let held: Held[] = []
const arrivals = new EventEmitter()

const actions: Record<string, (input: Input) => object | Promise<object>> = {
  'PinpointSMSVoiceV2.SendTextMessage': ({ DestinationPhoneNumber: phone, MessageBody: text, Context: context }) => {
    console.log(`${phone}: ${text}`)
    const messageId = randomUUID()
    // Numbers that end with 00 are out of reach.
    for (const eventType of ['TEXT_SUCCESSFUL', phone.endsWith('00') ? 'TEXT_UNREACHABLE' : 'TEXT_DELIVERED']) {
      hold({ eventType, eventTimestamp: Date.now(), messageId, context })
    }
    return { MessageId: messageId }
  },
  'AmazonSQS.ReceiveMessage': async ({ MaxNumberOfMessages: most, WaitTimeSeconds: seconds }) => {
    const signal = AbortSignal.timeout(seconds * 1000)
    if (held.length === 0) await once(arrivals, 'held', { signal }).catch(() => {})
    return { Messages: held.slice(0, most) }
  },
  'AmazonSQS.DeleteMessageBatch': ({ Entries }) => {
    const gone = new Set(Entries.map(({ ReceiptHandle }) => ReceiptHandle))
    held = held.filter(({ ReceiptHandle }) => !gone.has(ReceiptHandle))
    return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] }
  },
}

const app = express()
app.post('/{*path}', express.json({ type: () => true }), async (request, response) => {
  const action = actions[request.get('x-amz-target') ?? '']
  response.type('application/x-amz-json-1.0')
  if (!action) response.status(400).json({ __type: 'UnknownOperationException' })
  else if (!isSigned(request)) response.status(400).json({ __type: 'UnrecognizedClientException' })
  else response.json(await action(request.body))
})
app.listen(Number(PORT), '127.0.0.1', () => console.log(`AWS is played at http://127.0.0.1:${PORT}`))

/** The key and the form alone: whether the signature is right, AWS will say. */
function isSigned(request: Request): boolean {
  return `${request.get('authorization')}`.startsWith(`AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/`)
}

function hold(event: object): void {
  const Body = JSON.stringify(event)
  const MD5OfBody = createHash('md5').update(Body).digest('hex')
  held.push({ MessageId: randomUUID(), ReceiptHandle: randomUUID(), Body, MD5OfBody })
  arrivals.emit('held')
}
