/**
 * The mock does not lie: it is asked what the service is asked, every scenario of the replay, and answers the same; or the
 * difference stands in the list below, with its reason, and then the answer can be had with `Prefer`.
 */

import { setImmediate } from 'node:timers/promises'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, buildHeaders, buildTarget } from '../../scripts/conformance/request.ts'
import { makeAnswer } from '../../scripts/contract/dynamic.ts'
import { withExclusiveBounds } from '../../scripts/contract/exclusiveBounds.ts'
import { bundle, listOperations } from '../../scripts/contract/redocly.ts'
import { operationFacts } from '../../src/contract/document.ts'
import { bindContract } from '../../src/http/api/binding.ts'
import { ownWire } from '../../src/http/api/wire.ts'
import { copyCheckout } from '../support/checkout.ts'
import { type Answer, createClient, type ErrorData, readAnswer } from '../support/client.ts'
import { type Mock, startMock } from '../support/mock.ts'
import { namedScenarios, openStage, type Request, type Stage } from './scenarios.ts'

/** Why the mock, which keeps nothing, answers otherwise when it is not told what to answer; by the name of the example. */
const differences: Record<string, string[]> = {
  'It has no keys on record: whichever is sent may do everything.': [
    ...['invalid_api_key', 'revoked_api_key', 'expired_api_key', 'insufficient_scope'],
  ],
  'It does not know what was sent, checked or counted before.': [
    ...[
      'end',
      'incorrect_code',
      'attempts_exhausted',
      'expired',
      'already_verified',
      'superseded',
      'verification_not_found',
    ],
    ...['queued', 'sent', 'passed_on', 'delivered', 'read', 'failed', 'gone', 'message_not_found', 'not_opted_out'],
    ...['idempotency_key_reused', 'idempotency_in_progress'],
    ...['resend_cooldown', 'send_limit_reached', 'check_limit_reached', 'rate_limited'],
  ],
  'It has no templates, no connections and no settings of an operator, and knows no numbering plan.': [
    ...[
      'unknown_template',
      'template_not_found',
      'costly',
      'invalid_variables',
      'country_not_allowed',
      'no_channel',
      'invalid_phone',
    ],
  ],
  'It counts nothing, and has no rules.': ['send_blocked', 'challenge_required', 'budget_spent', 'spent'],
  'It has no providers that refuse.': ['opted_out', 'refused'],
  'It signs nothing.': ['verified_with_receipt', 'verified_without_receipt'],
  'It does not fail.': ['internal_error', 'service_unavailable'],
}

const scenarios = namedScenarios()
const names = [...scenarios.keys()]

type ExampleAnswer = { success: boolean; data: object }
/** By operationId, status and name. */
const examples = new Map(
  listOperations(await bundle({ dereferenced: true })).flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content['application/json']!.examples).map(
        ([example, { value }]) => [`${operationId} ${status} ${example}` as string, value] as const,
      ),
    ),
  ),
)

const documentedOperations = listOperations(await bundle({ dereferenced: true }))
const findRoute = await bindContract({ wire: ownWire, handlers: {}, authenticate: () => expect.unreachable() })
const ajv = addFormats.default(new Ajv({ strict: false, logger: false }))

/** A client's own reading of the contract: fields that it does not know are no fault. By operationId and status. */
const judges = new Map(
  documentedOperations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(
      ([status, { content }]) =>
        [`${operationId} ${status}`, ajv.compile(withExclusiveBounds(content['application/json']!.schema))] as const,
    ),
  ),
)

function isDescribed(operationId: string, { status, success, data }: Facts): boolean {
  return judges.get(`${operationId} ${status}`)!({ success, data })
}

let stage: Stage
let mock: Mock
beforeAll(async () => {
  ;[stage, mock] = await Promise.all([openStage(), startMock()])
})
afterAll(async () => {
  mock?.stop()
  await stage?.close()
})

describe('the mock, asked what the service is asked, answers with the same status, code and shape', () => {
  const differing = new Set<string>()

  it.each(names)('%s', async (name) => {
    const { path, asked, real } = await play(name)
    const mocked = await ask(mock.url, path, asked)
    if (isSame(mocked, real)) return
    const example = name.split(' ').at(-1)!
    expect(
      Object.values(differences).flat(),
      `is told ${factsOf(real).join()}, and mocked as ${factsOf(mocked).join()}`,
    ).toContain(example)
    differing.add(example)
    const told = await ask(mock.url, path, asked, prefer(name))
    expect(factsOf(told)).toEqual(factsOf(real))
  })

  it.each([
    ['POST', '/v1/nothing'],
    ['DELETE', '/v1/verify/send'],
    ['POST', '/v1/verify/send/'],
    ['GET', '/v1/messages/%'],
  ])('to what the contract does not have: %s %s', async (method, path) => {
    const [real, mocked] = await Promise.all([stage.server.url, mock.url].map((url) => fetch(url + path, { method })))
    expect(factsOf(await readAnswer(mocked!))).toEqual(factsOf(await readAnswer(real!)))
  })

  it.each([
    ['is a good one', '\ufeff{"phone":"+14155550100"}'],
    ['breaks the contract', '\ufeff{"phone":1}'],
    ['is not JSON', '\ufeff'],
  ])('to a body with a byte order mark that %s', async (_what, body) => {
    const [real, mocked] = await Promise.all(
      [stage.server.test, createClient(mock.url, 'any')].map((client) =>
        client.post<ErrorData>('/v1/verify/send', body),
      ),
    )
    expect(factsOf(mocked!)).toEqual(factsOf(real!))
  })

  it('but for what is listed here, and nothing is listed that does not differ', () => {
    expect([...differing].toSorted()).toEqual(Object.values(differences).flat().toSorted())
  })
})

describe('the mock', () => {
  it.each(names)('gives the answer that is preferred, to a good request: %s', async (name) => {
    const [operationId, status] = name.split(' ') as [string, string]
    const good = names.find((other) => other.startsWith(`${operationId} 200 `))!
    const { path, asked } = await play(good)
    const answer = await ask(mock.url, path, asked, prefer(name))
    expect(answer.status).toBe(Number(status))
    expect(untraced(answer)).toEqual(untraced(examples.get(name) as ExampleAnswer))
  })

  it.each([
    ['code=418', ['400', '429', 'resend_cooldown', 'sent']],
    ['code=abc', ['400', '429', 'resend_cooldown', 'sent']],
    ['example=teapot', ['400', '429', 'resend_cooldown', 'sent']],
    ['code=429, example=teapot', ['429', 'resend_cooldown', 'send_limit_reached', 'rate_limited']],
    ['code=429, example=sent', ['429', 'resend_cooldown', 'send_limit_reached', 'rate_limited']],
  ])('names the answers that the contract has when it has no %s', async (preferred, named) => {
    const { path, asked } = await play('sendVerification 200 sent')
    const { status, data } = await ask(mock.url, path, asked, preferred)
    expect([status, data.details?.[0]?.field]).toEqual([400, 'header:Prefer'])
    const words = data.message?.match(/\w+/g)
    for (const name of named) expect(words).toContain(name)
    expect(words?.includes('200')).toBe(named.includes('sent'))
  })

  it('answers a request that prefers a delay after those that came later, as it would have', async () => {
    const { path, asked } = await play('sendVerification 200 sent')
    const [leave, late] = [new AbortController(), Promise.withResolvers<string>()]
    const slow = ask(mock.url, path, asked, 'delay=20000, code=429', leave.signal)
    slow.then(
      () => late.resolve('answered'),
      () => late.resolve('left'),
    )
    for (const _one of [1, 2, 3]) expect((await ask(mock.url, path, asked)).status).toBe(200)
    leave.abort()
    expect(await late.promise).toBe('left')
    const waited = await ask(mock.url, path, asked, 'delay=1-2, code=429, example=rate_limited')
    expect([waited.status, waited.data.code]).toEqual([429, 'rate_limited'])
  })

  it.each(['20001', '2-1', '-1', 'long'])('refuses the delay %s, and says what one is', async (delay) => {
    const { path, asked } = await play('sendVerification 200 sent')
    const { status, data } = await ask(mock.url, path, asked, `delay=${delay}`)
    expect([status, data.details?.[0]?.field]).toEqual([400, 'header:Prefer'])
    expect(data.message).toContain('milliseconds')
  })

  it('delays every answer by what it was started with, unless a request prefers another delay', async () => {
    const slow = await startMock(undefined, ['--delay', '20000'])
    try {
      const { path, asked } = await play('sendVerification 200 sent')
      const leave = new AbortController()
      const waiting = expect(ask(slow.url, path, asked, undefined, leave.signal)).rejects.toThrow('abort')
      expect((await ask(slow.url, path, asked, 'delay=0')).status).toBe(200)
      leave.abort()
      await waiting
    } finally {
      slow.stop()
    }
  })

  it('finds an example by its name alone, and makes nothing up of which there is an example', async () => {
    const { path, asked } = await play('sendVerification 200 sent')
    const named = await ask(mock.url, path, asked, 'example=rate_limited')
    expect([named.status, named.data.code]).toEqual([429, 'rate_limited'])
    for (const odd of ['dynamic=false', 'code=429, example=resend_cooldown, dynamic=true']) {
      const answer = await ask(mock.url, `${path}?__code=500&__dynamic=true`, asked, odd)
      expect(answer.data).toMatchObject(
        odd === 'dynamic=false' ? { expires_in: 600 } : { code: 'resend_cooldown', retry_after: 42 },
      )
    }
  })

  it('makes up another valid answer each time, where a request prefers it or all do', async () => {
    const all = await startMock(undefined, ['--dynamic'])
    try {
      const { path, asked } = await play('sendVerification 200 sent')
      for (const [url, wish] of [
        [mock.url, 'dynamic=true'],
        [all.url, 'delay=0'],
      ] as const) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => ask(url, path, asked, wish)))
        for (const answer of answers) expect(isDescribed('sendVerification', answer)).toBe(true)
        expect(new Set(answers.map(({ text }) => text)).size).toBeGreaterThan(1)
      }
      const refused = await ask(mock.url, path, asked, 'dynamic=true, code=429')
      expect([refused.status, isDescribed('sendVerification', refused)]).toEqual([429, true])
      const plain = await ask(all.url, path, asked, 'dynamic=false')
      expect(untraced(plain)).toEqual(untraced(examples.get('sendVerification 200 sent') as ExampleAnswer))
      const wrong = await ask(mock.url, path, asked, 'dynamic=maybe')
      expect([wrong.status, wrong.data.details?.[0]?.field]).toEqual([400, 'header:Prefer'])
    } finally {
      all.stop()
    }
  })

  it.each(documentedOperations)(
    'makes up a thousand answers of $operationId, and a client takes each',
    async ({ operationId, method, path }) => {
      const target = path.replace('{id}', 'req_00000000000000000000000000')
      const { binding } = findRoute(method.toUpperCase(), target)
      for (let count = 0; count < 1000; count += 1) {
        // The connections to the mock see that it closes them.
        await setImmediate()
        const body = makeAnswer(binding, 200)
        expect(isDescribed(operationId, { status: 200, ...body } as Facts), JSON.stringify(body)).toBe(true)
      }
    },
  )

  it.each(['bearer', 'BEARER', 'Bearer '])('takes a key after %j, as the service does', async (scheme) => {
    const target = '/v1/messages/req_00000000000000000000000000'
    const answer = await fetch(mock.url + target, { headers: { Authorization: `${scheme} any` } })
    expect(answer.status).toBe(200)
  })

  it('takes the query and the headers that a contract asks for', async () => {
    const checkout = await copyCheckout()
    const [path, id] = ['/v1/messages/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6', '        - name: id\n          in: path\n']
    await checkout.replace(
      'openapi.yaml',
      id,
      requiredParameter('near', 'query') + requiredParameter('X-Near', 'header') + id,
    )
    const other = await startMock(checkout.folder)
    try {
      const read = async (query: string, headers: Record<string, string>) =>
        readAnswer<ErrorData>(
          await fetch(other.url + path + query, { headers: { Authorization: 'Bearer any', ...headers } }),
        )
      const near = { 'X-Near': '+a' }
      for (const query of ['?near=%2Ba', '?near=+a']) expect((await read(query, near)).status).toBe(200)
      const { data } = await read('', {})
      expect(data.details?.map(({ field }) => field.toLowerCase()).toSorted()).toEqual(['header:x-near', 'query:near'])
    } finally {
      other.stop()
      await checkout.remove()
    }
  })

  it('lets pages of any origin call it', async () => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' }
    const asked = await fetch(`${mock.url}/v1/verify/send`, { method: 'OPTIONS', headers })
    expect(asked.ok).toBe(true)
    expect(asked.headers.get('access-control-allow-origin')).toBe('*')
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
    const answer = await fetch(`${mock.url}/v1/messages/1`, { headers: { Origin: 'https://app.example' } })
    expect(answer.headers.get('access-control-expose-headers')).toBe('*')
  })

  it('has the contract and its reference too', async () => {
    for (const path of ['/openapi.json', '/docs']) expect((await fetch(mock.url + path)).status).toBe(200)
  })
})

type Facts = Answer<ErrorData & { status?: string; reason?: string }>

/** Makes a scenario happen at the service. @returns what was asked, and what was answered */
async function play(name: string): Promise<{ path: string; asked: AskedFor; real: Facts }> {
  const request = await scenarios.get(name)!(stage)
  const { path, method } = operationFacts.find(({ operationId }) => name.startsWith(`${operationId} `))!
  const target = buildTarget(path, request)
  const asked = { ...request, method: method.toUpperCase() }
  const real = await ask((request.server ?? stage.server).url, target, asked)
  await request.undo?.()
  return { path: target, asked, real }
}

type AskedFor = Request & { method: string }

async function ask(
  url: string,
  path: string,
  { method, ...request }: AskedFor,
  prefer?: string,
  signal: AbortSignal | null = null,
): Promise<Facts> {
  const headers = { ...(prefer !== undefined && { Prefer: prefer }), ...buildHeaders(request) }
  return readAnswer(await fetch(url + path, { method, headers, body: bodyOf(request) ?? null, signal }))
}

function prefer(name: string): string {
  const [, status, example] = name.split(' ')
  return `code=${status}, example=${example}`
}

function requiredParameter(name: string, place: string): string {
  const schema =
    '          schema:\n            type: string\n            pattern: ^\\+[a-z]$\n          example: "+a"\n'
  return `        - name: ${name}\n          in: ${place}\n          required: true\n          description: Where.\n${schema}`
}

/** Without what names the request. */
function untraced({ success, data }: ExampleAnswer): unknown {
  return { success, data: { ...data, trace_id: undefined } }
}

/** Status, code, and which fields of which types there are. */
function factsOf({ status, success, data }: Facts): unknown[] {
  return [status, data.code ?? data.reason ?? data.status, describeShape({ success, data })]
}

function isSame(one: Facts, other: Facts): boolean {
  return JSON.stringify(factsOf(one)) === JSON.stringify(factsOf(other))
}

function describeShape(value: unknown): unknown {
  // A list has as many entries as there are faults; they are all alike.
  if (Array.isArray(value)) return [describeShape(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, describeShape(child)]))
}
