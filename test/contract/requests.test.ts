/**
 * What a contract may ask of a request, and this one does not yet: parameters of every type in every place, and bodies of
 * several kinds. In a copy of the checkout, the contract asks for them, and a handler answers with what it was given.
 */
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings/config.ts'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { launchProcess, whenReady } from '../support/process.ts'

const id = 'req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6'

/** By place, a parameter of each type, with a good value. Some have a schema, or are one, that stands elsewhere. */
const places = {
  path: { name: 'Ada', page: '-7', ratio: '0.25', deep: 'true', order: 'newest' },
  query: { name: 'Ada', page: '7', ratio: '-2.50', deep: 'false', order: 'oldest' },
  header: { 'X-Name': 'Ada', 'X-Page': '0', 'X-Ratio': '3', 'X-Deep': 'true', 'X-Order': 'oldest' },
}
const schemas = {
  name: 'type: string\n            maxLength: 20',
  page: '$ref: "#/components/schemas/PageNumber"',
  ratio:
    'type: number\n            minimum: -9007199254740991\n            exclusiveMinimum: true\n            maximum: 9007199254740991\n            default: 0.5',
  deep: 'type: boolean\n            default: false',
  order: '$ref: "#/components/schemas/SortOrder"',
}
const usual = { page: 1, ratio: 0.5, deep: false }

type Place = keyof typeof places
const wordOf = (name: string) => name.toLowerCase().replace('x-', '') as keyof typeof schemas
const inPlace = (place: Place) => Object.keys(places[place])

function parameterIn(place: Place, name: string): string {
  const word = wordOf(name)
  return `
        - name: ${name}
          in: ${place}
          required: ${place === 'path'}
          description: How many pages, or what else is asked for.
          schema:
            ${schemas[word]}
          example: ${(places[place] as Record<string, string>)[name]}`
}

const components = `
    PageNumber:
      type: integer
      description: How many pages come before.
      minimum: -9007199254740991
      maximum: 9007199254740991
      default: 1
      example: 1
    SortOrder:
      type: string
      description: |
        Which message comes first:

        * \`newest\`: the one that was sent last.
        * \`oldest\`: the one that was sent first.
      enum:
        - newest
        - oldest
      example: newest
    CancelOne:
      type: object
      description: One verification.
      additionalProperties: false
      required: [by, request_id, asked_at]
      properties:
        asked_at: { allOf: [{ $ref: "#/components/schemas/EventTimestamp" }], readOnly: true, description: When it was asked for. }
        by:
          type: string
          description: Always \`id\`.
          enum:
            - id
          example: id
        request_id:
          $ref: "#/components/schemas/RequestId"
        tries:
          type: integer
          description: How many days to keep it.
          minimum: 1
          maximum: 9
          default: 3
          example: 3
    CancelAll:
      type: object
      description: All verifications of a phone.
      additionalProperties: false
      required:
        - by
        - phone
      properties:
        by:
          type: string
          description: Always \`phone\`.
          enum:
            - phone
          example: phone
        phone:
          $ref: "#/components/schemas/Phone"
`
const choice = `    CancelVerificationRequest:
      description: Which verifications to cancel.
      oneOf:
        - $ref: "#/components/schemas/CancelOne"
        - $ref: "#/components/schemas/CancelAll"
      discriminator:
        propertyName: by
        mapping:
          id: "#/components/schemas/CancelOne"
          phone: "#/components/schemas/CancelAll"
`

/** Answers with its input, in the text of a refusal. */
const echo = (operationId: string, code: string, what: string, fields: string) => `
import { Problem } from '../../../kit/problem.ts'
import type { Handler, Input } from '../handler.ts'

const given = (input: Input<'${operationId}'>) => (${what})
export const ${operationId}: Handler<'${operationId}', never> = {
  act: async (input) => new Problem('${code}', { message: JSON.stringify(given(input)) }),
  reply: (done) => done,
}
${fields}
`
/** Does not compile if a parameter is missing, or has another type than the contract says. */
const typesOfInput = `
type Order = 'newest' | 'oldest'
export function typesOfInput({ path, query, header }: Input<'getMessage'>) {
  ;[path.id, path.name, path.order] satisfies [string, string, Order]
  ;[path.page, path.ratio, path.deep] satisfies [number, number, boolean]
  ;[query.page, query.ratio, query.deep] satisfies [number, number, boolean]
  ;[query.name, query.order] satisfies [string | undefined, Order | undefined]
  ;[header['X-Page'], header['X-Ratio'], header['X-Deep']] satisfies [number, number, boolean]
  ;[header['X-Name'], header['X-Order']] satisfies [string | undefined, Order | undefined]
  // @ts-expect-error it may be left out
  query.name satisfies string
  // @ts-expect-error it may be left out
  header['X-Name'] satisfies string
  // @ts-expect-error the contract has no such header
  header['X-Other']
}
`
const idempotencyKey = `
export function typesOfInput({ body, header }: Input<'cancelVerification'>) {
  header['Idempotency-Key'] satisfies string | undefined
  // @ts-expect-error only answers have it
  if (body.by === 'id') body.asked_at
}
`

const handler = (name: string) => `src/http/api/operations/${name}.ts`

let checkout: Checkout
let service: Awaited<ReturnType<typeof startSandbox>> | undefined
beforeAll(async () => {
  checkout = await copyCheckout()
  await changeContract()
  const parameters = '{ path: input.path, query: input.query, header: input.header }'
  await checkout.write(handler('getMessage'), echo('getMessage', 'message_not_found', parameters, typesOfInput))
  const body = '{ body: input.body, header: input.header }'
  const cancel = echo('cancelVerification', 'verification_not_found', body, idempotencyKey)
  await checkout.write(handler('cancelVerification'), cancel)
  expect(await checkout.run('node scripts/generate.ts')).toEqual({ code: 0, output: '' })
  service = await startSandbox(checkout)
})
afterAll(async () => {
  await service?.close()
  await checkout.remove()
})

async function changeContract(): Promise<void> {
  const parameters = (Object.keys(places) as Place[]).flatMap((place) =>
    inPlace(place).map((name) => parameterIn(place, name)),
  )
  // One of them is shared: the operation refers to it.
  const shared = parameterIn('header', 'X-Page')
  const own = parameters.map((text) =>
    text === shared ? '\n        - $ref: "#/components/parameters/PageHeader"' : text,
  )
  const example = `          example: ${id}\n      responses:\n        "200":\n          description: The message in its current state.\n`
  await checkout.replace(
    'openapi.yaml',
    '  /v1/messages/{id}:\n',
    `  /v1/messages/{id}/{${inPlace('path').join('}/{')}}:\n`,
  )
  await checkout.replace('openapi.yaml', example, example.replace('\n', `${own.join('')}\n`))
  const lines = shared
    .trim()
    .slice(2)
    .replaceAll(/^ {10}/gm, '      ')
  await checkout.replace('openapi.yaml', '    WebhookId:\n', `    PageHeader:\n      ${lines}\n    WebhookId:\n`)
  const text = await checkout.read('openapi.yaml')
  const [before, after] = text.split('    CancelVerificationRequest:\n') as [string, string]
  const rest = after.slice(after.indexOf('\n    C') + 1)
  await checkout.write('openapi.yaml', before + choice + components.slice(1) + rest)
  const request = '#/components/schemas/CancelVerificationRequest"\n            examples:\n              cancelled:\n'
  const value = `${request}                summary: The id from the response to a send\n                value:\n`
  await checkout.replace('openapi.yaml', value, `${value}                  by: id\n`)
}

describe('a contract with parameters of every type in every place, and with a body of two kinds', () => {
  it('keeps the rules', async () => {
    expect(await checkout.run('redocly lint openapi.yaml')).toMatchObject({ code: 0 })
  })

  it('gives the handlers an input of these types', async () => {
    const include = [handler('getMessage'), handler('cancelVerification')]
    await checkout.write('tsconfig.some.json', JSON.stringify({ extends: './tsconfig.json', include }))
    expect(await checkout.run('tsc -p tsconfig.some.json')).toEqual({ code: 0, output: '' })
  })
})

interface Asked {
  path: Record<string, string>
  query: Record<string, string>
  header: Record<string, string | string[]>
}

/** Asks with good values but for those that are given; undefined leaves one out. */
async function read(changes: { [P in Place]?: Record<string, string | string[] | undefined> } = {}) {
  const asked = Object.fromEntries(
    Object.entries(places).map(([place, good]) => [place, defined({ ...good, ...changes[place as Place] })]),
  ) as unknown as Asked
  const path = ['', 'v1', 'messages', id, ...inPlace('path').map((name) => asked.path[name]!)].map(encodeURIComponent)
  return service!.ask('GET', `${path.join('/')}?${new URLSearchParams(asked.query)}`, asked.header)
}

function defined(values: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

const expected = {
  path: { id, name: 'Ada', page: -7, ratio: 0.25, deep: true, order: 'newest' },
  query: { name: 'Ada', page: 7, ratio: -2.5, deep: false, order: 'oldest' },
  header: { 'X-Name': 'Ada', 'X-Page': 0, 'X-Ratio': 3, 'X-Deep': true, 'X-Order': 'oldest' },
}

const numbers = [
  '1e3',
  ' 1',
  '0x10',
  '01',
  '-0',
  '+1',
  '--1',
  '1_000',
  '१',
  'NaN',
  'Infinity',
  '9007199254740993',
  '9'.repeat(400),
]
const bad = {
  name: ['a'.repeat(21)],
  page: [...numbers, '1.0', '1.'],
  ratio: [...numbers, '.5', '1.', '01.5', '1.5e1'],
  deep: ['TRUE', '1', 'yes', 'true '],
  order: ['Newest', 'latest'],
}

describe('a parameter in the', () => {
  describe.each(['path', 'query', 'header'] as const)('%s', (place) => {
    it('reaches the handler by the name that the contract writes, of the type that it has there', async () => {
      expect((await read()).given?.[place]).toEqual(expected[place])
    })

    it.each(inPlace(place))('is refused when it is no value of its type: %s', async (name) => {
      for (const value of bad[wordOf(name)]) {
        // A header has neither spaces around it nor letters beyond Latin-1.
        if (place === 'header' && (value.trim() !== value || value === '१')) continue
        const { status, data } = await read({ [place]: { [name]: value } })
        const code = wordOf(name) === 'name' ? 'too_long' : wordOf(name) === 'order' ? 'wrong_format' : 'wrong_type'
        expect([value, status, data.code], JSON.stringify(data)).toEqual([value, 400, 'invalid_request'])
        expect(data.details).toEqual([{ field: `${place}:${name}`, code, message: expect.any(String) }])
      }
    })
  })

  // A path has no place for what is empty or left out.
  describe.each(['query', 'header'] as const)('%s', (place) => {
    it.each(inPlace(place))('is a value when it is empty only if it is text: %s', async (name) => {
      const { status, data } = await read({ [place]: { [name]: '' } })
      if (wordOf(name) === 'name') expect(status).toBe(404)
      else expect(data.details?.map(({ field }) => field)).toEqual([`${place}:${name}`])
    })

    it('has its default when it is left out', async () => {
      const nothing = Object.fromEntries(inPlace(place).map((name) => [name, undefined]))
      const { given } = await read({ [place]: nothing })
      const values = Object.entries(given![place]!).map(([name, value]) => [wordOf(name), value])
      expect(Object.fromEntries(values)).toEqual(usual)
    })
  })

  it('query is refused at a bound that must not be reached, and taken beside it', async () => {
    const { data } = await read({ query: { ratio: '-9007199254740991' } })
    expect(data.details).toEqual([
      { field: 'query:ratio', code: 'wrong_format', message: 'must be more than -9007199254740991' },
    ])
    const { given } = await read({ query: { ratio: '-9007199254740990' } })
    expect(given?.query).toMatchObject({ ratio: -9_007_199_254_740_990 })
  })

  it('header is told by its name in any letters, and comes once, also where Node drops the second', async () => {
    expect((await read({ header: { 'X-Page': undefined, 'x-pAGE': '5' } })).given?.header).toMatchObject({
      'X-Page': 5,
    })
    for (const [name, value] of [
      ['X-Page', '5'],
      ['X-Name', 'Ada'],
      ['X-Deep', 'true'],
    ] as const) {
      const { data } = await read({ header: { [name]: [value, value] } })
      expect(data.details).toEqual([{ field: `header:${name}`, code: 'repeated', message: 'must come once' }])
    }
  })

  it('path, the query and a header are all named when all are wrong', async () => {
    const { data } = await read({
      path: { page: 'x' },
      query: { deep: '1' },
      header: { 'X-Ratio': 'x', 'X-Name': ['a', 'b'] },
    })
    expect(data.details?.map(({ field, code }) => `${field} ${code}`).toSorted()).toEqual([
      'header:X-Name repeated',
      'header:X-Ratio wrong_type',
      'path:page wrong_type',
      'query:deep wrong_type',
    ])
  })
})

describe('a body whose discriminator says what it is', () => {
  const cancel = (body: unknown, headers = {}) =>
    service!.ask('POST', '/v1/verify/cancel', headers, JSON.stringify(body))
  const one = { by: 'id', request_id: id }
  const all = { by: 'phone', phone: '+14155550100' }
  const notNull = 'not null: leave out what is not set'

  it('reaches the handler as that, with its defaults', async () => {
    expect((await cancel(one)).given?.body).toEqual({ ...one, tries: 3 })
    expect((await cancel(all)).given?.body).toEqual(all)
  })

  it.each([
    ['an unknown kind', { ...one, by: 'name' }, '/by', 'wrong_format', 'must be one of id, phone'],
    ['no kind', { request_id: id }, '/by', 'missing', 'is required'],
    ['nothing', {}, '/by', 'missing', 'is required'],
    ['a kind that is no text', { ...one, by: 1 }, '/by', 'wrong_type', 'must be of type string'],
    ['a kind that is null', { ...one, by: null }, '/by', 'wrong_type', `must be of type string, ${notNull}`],
    ['a wrong field of its kind', { ...one, request_id: 1 }, '/request_id', 'wrong_type', 'must be of type string'],
    ['a wrong value of its kind', { ...one, tries: 10 }, '/tries', 'too_large', 'must be at most 9'],
    ['a missing field of its kind', { by: 'phone' }, '/phone', 'missing', 'is required'],
    ['a field of the other kind', { ...all, tries: 1 }, '/tries', 'unknown', 'is not a field of this request'],
    ['what answers alone have', { ...one, asked_at: '' }, '/asked_at', 'unknown', 'is not a field of this request'],
    ['null', null, '', 'wrong_type', `must be of type object, ${notNull}`],
    ['a list', [one], '', 'wrong_type', 'must be of type object'],
    ['a text', 'id', '', 'wrong_type', 'must be of type object'],
  ])('and that has %s is told just that', async (_what, body, field, code, message) => {
    const { status, data } = await cancel(body)
    expect([status, data.code]).toEqual([400, 'invalid_request'])
    expect(data.details).toEqual([{ field, code, message }])
  })

  it('comes with an Idempotency-Key that the handler can read too', async () => {
    const { given } = await cancel(one, { 'idempotency-key': 'k-1' })
    expect(given?.header).toEqual({ 'Idempotency-Key': 'k-1' })
  })
})

interface Answered {
  status: number
  data: { code?: string; message?: string; details?: { field: string; code: string }[] }
  /** What the handler was given. */
  given?: Record<string, Record<string, unknown>>
}

/** The service of that checkout, in the memory of a process of its own. */
async function startSandbox({ folder }: Checkout) {
  const command = [process.execPath, '--import', './src/loading.js', 'src/main.ts']
  const { url, end } = await whenReady(launchProcess('sandbox', { LOG_FORMAT: 'json' }, { command, folder }))
  const { sandboxKey } = loadConfig({}, { role: 'sandbox' })
  const ask = (method: string, path: string, headers: object, body?: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const options = { method, headers: { Authorization: `Bearer ${sandboxKey}`, ...type, ...headers } }
      const sent = httpRequest(url + path, options, async (response) => {
        const { data } = JSON.parse(await text(response))
        const status = response.statusCode ?? 0
        resolve({ status, data, ...(status === 404 && { given: JSON.parse(data.message) }) })
      })
      sent.once('error', reject).end(body)
    })
  return { ask, close: () => end('SIGKILL') }
}
