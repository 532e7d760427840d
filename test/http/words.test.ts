/** What programs are told of a wrong request, at every operation of both contracts: our own words, whatever is wrong with which field. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract, operationFacts, scopeMeanings } from '../../src/contract/document.ts'
import type { OperationFacts } from '../../src/contract/facts.ts'
import { twilioContract, twilioFacts } from '../../src/contract/twilioDocument.ts'
import { foreignWords, wrongOnes } from '../support/foreignWords.ts'
import { basic, openTwilio, type TwilioStage } from '../support/twilio.ts'

let stage: TwilioStage
let authorizations: Record<'own' | 'twilio', string>
beforeAll(async () => {
  const rate = { testKeyRatePerSecond: 100_000, testKeyBurst: 100_000 }
  stage = await openTwilio(rate)
  const key = await stage.server.key({ scopes: Object.keys(scopeMeanings) })
  authorizations = { own: `Bearer ${key}`, twilio: basic(stage.accountSid, key) }
})
afterAll(() => stage?.close())

interface Request {
  path: string
  body?: string
  headers?: Record<string, string>
}

/** Values of a path, a query, a header or a form, whose parts are all texts. */
const wrongTexts = [
  '',
  ' ',
  'x'.repeat(5000),
  'No such value!',
  'a\0',
  '7',
  '-0.5',
  '1e9',
  'true',
  '[]',
  '{}',
  '\u{1f98a}',
]
/** Each is wrong in its own way. */
const wrongPhones = [
  ...[
    '+1 415 555 2671',
    '+1415555267',
    '+141555526711',
    '+14365550100',
    '+9991234567',
    '+5215541637145',
    '4.91712E+11',
  ],
  ...[
    '+14155552671 / 2',
    '+14155552671 ext. 5',
    '+1-800-FLOWERS',
    '+\u0661\u0662',
    '\u202a+14155552671',
    '+0123',
    '+',
    '004930',
  ],
]

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by names
type Node = any

/** Where a contract refers to, or what stands there itself. */
function behind(node: Node, document: Node): Node {
  if (!node?.$ref) return node
  return behind(
    node.$ref
      .slice(2)
      .split('/')
      .reduce((at: Node, name: string) => at[name], document),
    document,
  )
}

function documented({ path, method }: OperationFacts, document: Node) {
  const { parameters = [], requestBody } = document.paths[path][method]
  const [media] = Object.entries<Node>(requestBody?.content ?? {})
  return {
    parameters: parameters.map((one: Node) => behind(one, document)) as Node[],
    type: media?.[0],
    fields: Object.keys(behind(media?.[1].schema, document)?.properties ?? {}),
    examples: Object.values<Node>(media?.[1].examples ?? {}).map((one) => behind(one, document).value as object),
  }
}

/** Requests for an operation, each with one thing wrong. @param ids what good values of its path are */
function* wrongRequests(
  facts: OperationFacts,
  document: Node,
  ids: Readonly<Record<string, string>>,
): Generator<Request> {
  const { parameters, type, fields, examples } = documented(facts, document)
  const targetWith = (values: Readonly<Record<string, string>>) =>
    parameters
      .filter((one) => one.in === 'path')
      .reduce((path, { name, example }) => {
        return path.replace(`{${name}}`, encodeURIComponent(values[name] ?? ids[name] ?? String(example)))
      }, facts.path)
  const path = targetWith({})
  const asForm = type === 'application/x-www-form-urlencoded'
  const encode = (body: object) => (asForm ? new URLSearchParams(body as never).toString() : JSON.stringify(body))
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  const good = examples[0] && { body: encode(examples[0]) }

  for (const { name, in: place } of parameters)
    for (const text of [...wrongTexts, ...wrongPhones]) {
      if (place === 'path' && text !== '') yield { path: targetWith({ [name]: text }), headers, ...good }
      if (place === 'query') yield { path: `${path}?${new URLSearchParams({ [name]: text })}` }
      if (place === 'header' && /^[ -~]*$/.test(text)) yield { path, headers: { ...headers, [name]: text }, ...good }
    }
  yield { path: `${path}?colour=blue`, headers, ...good }
  if (type === undefined) return
  for (const text of ['', '{', '[]', '"x"', 'null', 'a=%FF', '\0']) yield { path, headers, body: text }
  for (const example of examples) {
    for (const name of fields) {
      const ways = /phone|^To$/i.test(name) ? [...wrongTexts, ...wrongPhones] : wrongTexts
      for (const text of ways) yield { path, headers, body: encode({ ...example, [name]: text }) }
    }
    // What a form is written from is a mapping of texts.
    const written = Array.from(wrongOnes(example)).filter((wrong) => !asForm || isForm(wrong))
    for (const wrong of written) yield { path, headers, body: encode(wrong as object) ?? '' }
  }
}

function isForm(value: unknown): value is Record<string, string> {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMapping && Object.values(value).every((member) => typeof member === 'string')
}

/** @returns what is said of those that are refused, without repeats */
async function toldOf(requests: Iterable<Request>, method: string, authorization: string): Promise<string[]> {
  const told = new Set<string>()
  const ask = async ({ path, headers, ...body }: Request) => {
    const init = { method: method.toUpperCase(), headers: { authorization, ...headers }, ...body }
    const response = await fetch(stage.server.url + path, init)
    expect([response.status, init]).toEqual([expect.not.toBeOneOf([500, 502, 503]), init])
    const { success, data, message } = (await response.json()) as Node
    if (success === false) for (const one of [data, ...(data.details ?? [])]) told.add(one.message)
    else if (message !== undefined) told.add(message)
  }
  const all = [...new Map(Array.from(requests, (request) => [JSON.stringify(request), request])).values()]
  for (let at = 0; at < all.length; at += 16) await Promise.all(all.slice(at, at + 16).map(ask))
  return [...told]
}

describe('what is told of a wrong request is in our own words', () => {
  it.each(operationFacts.map((facts) => [facts.operationId, facts] as const))('by %s', async (_id, facts) => {
    const told = await toldOf(wrongRequests(facts, contract, {}), facts.method, authorizations.own)
    expect(told.length).toBeGreaterThan(facts.takesBody ? 10 : 1)
    expect(told.flatMap(foreignWords)).toEqual([])
  })

  it('which names the header of the wire of Twilio that is wrong', async () => {
    const path = `/v2/Services/${stage.serviceSid}/Verifications`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'x'.repeat(300) }
    const request = { path, headers, body: 'To=%2B14155550100&Channel=sms' }
    const message = 'Invalid parameter: Idempotency-Key must have at most 255 characters.'
    expect(await toldOf([request], 'post', authorizations.twilio)).toEqual([message])
  })

  it.each(twilioFacts.map((facts) => [facts.operationId, facts] as const))('by %s', async (_id, facts) => {
    const ids = { ServiceSid: stage.serviceSid }
    const told = await toldOf(wrongRequests(facts, twilioContract, ids), facts.method, authorizations.twilio)
    expect(told.length).toBeGreaterThan(facts.takesBody ? 5 : 0)
    expect(told.flatMap(foreignWords)).toEqual([])
  })
})
