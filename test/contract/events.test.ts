/** What the contract says of events, and what holds the events that are sent to it. */
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/document.ts'
import { eventBytesMax, eventTypes, listEventExamples } from '../../src/contract/event.ts'
import { createEventCheck } from '../../src/contract/eventCheck.ts'
import { type EventReceiver, startEventReceiver } from '../support/eventReceiver.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const [delivered] = listEventExamples('message.delivered')
const [failed] = listEventExamples('message.failed')

let receiver: EventReceiver
beforeEach(async () => {
  receiver = await startEventReceiver()
})
afterEach(() => receiver.close())

/** Sends it as the service does; a header that is undefined is left out. */
async function send(event: object, changes: Record<string, string | undefined> = {}): Promise<void> {
  const body = JSON.stringify(event)
  const id = 'evt_01KAJ0R6W8Z3T5V7X9Y1B2C4D6'
  const at = new Date('2026-11-21T09:30:05Z')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${at.getTime() / 1000}`,
    'webhook-signature': new Webhook(secret).sign(id, at, body),
    ...changes,
  }
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  await fetch(receiver.url, { method: 'POST', headers: sent, body })
}

describe('the events of the contract', () => {
  it('are those that are told apart by their type, and each has an example that is one', async () => {
    for (const type of eventTypes) for (const example of listEventExamples(type)) await send(example)
    expect(receiver.faults(secret)).toEqual([])
    expect(receiver.missing()).toEqual([])
    const { mapping } = contract.components.schemas.WebhookEvent.discriminator
    expect(Object.keys(mapping)).toEqual(eventTypes)
  })
})

describe('a receiver that holds what it gets to the contract', () => {
  it('names the types that did not come', async () => {
    await send(delivered!)
    expect(receiver.missing()).toEqual(eventTypes.filter((type) => type !== 'message.delivered'))
  })

  it('passes an event with two signatures of which one is by its secret', async () => {
    const { example } = contract.components.parameters.WebhookSignature
    const id = 'evt_01KAJ0R6W8Z3T5V7X9Y1B2C4D6'
    const other = new Webhook(secret).sign(id, new Date('2026-11-21T09:30:05Z'), JSON.stringify(delivered))
    await send(delivered!, { 'webhook-signature': `${example} ${other}` })
    expect(receiver.faults(secret)).toEqual([])
  })

  it.each([
    ['a field that is not described', { ...delivered, phone: '+14155550100' }, '/body/phone: is not described'],
    [
      'one deep inside',
      { ...delivered, data: { ...delivered!.data, code: '123456' } },
      '/body/data/code: is not described',
    ],
    [
      'a field that is missing',
      { ...failed, data: { ...failed!.data, error: undefined } },
      "/body/data: must have required property 'error'",
    ],
    [
      'a value that is not listed',
      { ...delivered, data: { ...delivered!.data, status: 'lost' } },
      '/body/data/status: must be equal to one of the allowed values',
    ],
    [
      'the data of another type',
      { ...delivered, type: 'verification.verified' },
      '/body/data/channel: is not described',
    ],
    ['a type that is not documented', { ...delivered, type: 'message.lost' }, 'its type is not documented'],
    [
      'more bytes than an event may have',
      {
        ...failed,
        data: { ...failed!.data, error: { code: 'not_delivered', message: 'é'.repeat(eventBytesMax / 2) } },
      },
      'it has more than 4096 bytes',
    ],
  ])('names %s', async (_what, event, fault) => {
    await send(event)
    expect(receiver.faults(secret)).toContain(`${event.type}: ${fault}`)
  })

  it.each([
    ['no id', { 'webhook-id': undefined }, "/headers: must have required property 'webhook-id'"],
    ['an id that is none', { 'webhook-id': 'req_1' }, '/headers/webhook-id: must match pattern'],
    ['a time that is no number', { 'webhook-timestamp': 'now' }, '/headers/webhook-timestamp: must match pattern'],
    ['a signature of another form', { 'webhook-signature': 'v2,x' }, '/headers/webhook-signature: must match pattern'],
    ['a signature of something else', { 'webhook-timestamp': '1' }, 'its signature does not match'],
    ['another media type', { 'content-type': 'text/plain' }, 'it is not sent as application/json'],
  ])('names an event that has %s', async (_what, headers, fault) => {
    await send(delivered!, headers)
    expect(receiver.faults(secret)).toContainEqual(expect.stringContaining(`message.delivered: ${fault}`))
  })
})

describe('the check of an event', () => {
  it('takes one that is not sent yet, without headers', async () => {
    const check = await createEventCheck()
    expect(check(JSON.stringify(delivered))).toEqual([])
    expect(check('{')).toEqual(['its type is not documented'])
  })

  it('tells no value: it may be a secret', async () => {
    const check = await createEventCheck()
    const faults = check(
      JSON.stringify({ ...delivered, data: { ...delivered!.data, status: '123456', text: 'hello' } }),
    )
    expect(faults).toHaveLength(2)
    expect(faults.join()).not.toMatch(/123456|hello/)
  })
})
