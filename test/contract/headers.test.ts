/** A designer declares headers of an answer, as the guide to deprecating shows: on a copy of the checkout. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { bashBlocksOf, pageOf } from '../support/docs.ts'
import { startMock } from '../support/mock.ts'
import { type Broken, createLinting } from './linting.ts'

const guide = pageOf('docs/designers/deprecating.md')
const [, shown = ''] = /^```yaml\n(.*?)\n```$/ms.exec(guide) ?? []
const [commands = ''] = bashBlocksOf(guide)

let checkout: Checkout
let before: string
beforeAll(async () => {
  checkout = await copyCheckout()
  before = await checkout.read('openapi.yaml')
})
afterAll(() => checkout.remove())
const linting = createLinting(() => checkout)

type Tree = Record<string, unknown>
interface Contract {
  paths: { '/v1/messages/{id}': { get: { description: string } } }
}

async function declare(added: Tree): Promise<void> {
  await checkout.write('openapi.yaml', declared(before, added))
}

/** What `added` has is put into the contract, at its place. */
function declared(contract: string, added: Tree): string {
  return stringify(merged(parse(contract) as Tree, added))
}

function merged(tree: Tree, added: Tree): Tree {
  const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(added).map(([name, value]) => {
    const there = tree[name]
    return [name, isTree(there) && isTree(value) ? merged(there, value) : value]
  })
  return { ...tree, ...Object.fromEntries(entries) }
}

const at = (operation: Tree): Tree => ({ paths: { '/v1/messages/{id}': { get: operation } } })
const ofSuccess = (headers: Tree): Tree => at({ responses: { 200: { headers } } })

const location = {
  description: 'Where it is.',
  required: true,
  schema: { type: 'string' },
  example: '/v1/messages/1',
}
const left = { description: 'How many are left.', schema: { type: 'integer', minimum: 0 }, example: 3 }

describe('who deprecates an operation as the guide shows', () => {
  it('keeps the rules', async () => {
    await declare(parse(shown) as Tree)
    const { code, output } = await checkout.run(`set -e; ${commands}`)
    expect(code, output).toBe(0)
    const { description } = (parse(before) as Tree & Contract).paths['/v1/messages/{id}'].get
    const [, marked] = /@deprecated\s+\* @description ([^\n]+)/.exec(await checkout.read('generated/types.ts')) ?? []
    expect(marked).toBe(description.split('\n', 1)[0])
  })

  it('has the mock send both headers, and the reference show the mark', async () => {
    const mock = await startMock(checkout.folder)
    try {
      const url = `${mock.url}/v1/messages/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6`
      const { status, headers } = await fetch(url, { headers: { Authorization: 'Bearer any' } })
      expect([status, headers.get('deprecation')]).toEqual([200, '@1796083199'])
      expect(headers.get('sunset')).toBe(new Date('2027-06-30T23:59:59Z').toUTCString())
      const page = await (await fetch(`${mock.url}/docs`)).text()
      const [, marked] = /<section class="operation" id="getMessage">(.*?)<\/section>/s.exec(page) ?? []
      expect(marked!.match(/class="deprecated"/g)).toHaveLength(1)
      expect(page.match(/class="deprecated"/g)).toHaveLength(1)
    } finally {
      mock.stop()
    }
  })
})

describe('a header that a handler has to give', () => {
  it('does not compile until the handler gives it', async () => {
    await declare(ofSuccess({ Location: location, 'X-Left': left }))
    expect(await checkout.run('node scripts/generate.ts')).toMatchObject({ code: 0 })
    const { output } = await checkout.run('node node_modules/typescript-7/bin/tsc')
    expect(output).toMatch(/^src\/http\/api\/operations\/getMessage\.ts.*\n {2}Property 'headers' is missing/m)
  })

  it('is sent by the mock from its example', async () => {
    const mock = await startMock(checkout.folder)
    try {
      const url = `${mock.url}/v1/messages/req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6`
      const { headers } = await fetch(url, { headers: { Authorization: 'Bearer any' } })
      expect([headers.get('location'), headers.get('x-left')]).toEqual(['/v1/messages/1', '3'])
      expect(headers.has('idempotent-replayed')).toBe(false)
    } finally {
      mock.stop()
    }
  })
})

describe('the lint of the contract names the line of a header', () => {
  const list: [what: string, added: Tree, message: string][] = [
    [
      'without an example',
      ofSuccess({ Location: { ...location, example: undefined } }),
      'the header Location needs an example: mocks send it',
    ],
    [
      'that is true or false',
      ofSuccess({ Flag: { ...left, schema: { type: 'boolean' }, example: true } }),
      'the header Flag needs the type string, integer or number',
    ],
    [
      'whose example its schema refuses',
      ofSuccess({ 'X-Left': { ...left, example: -1 } }),
      'the header X-Left has an example that its schema refuses',
    ],
    ['that the service writes', ofSuccess({ 'Content-Length': left }), 'the header Content-Length cannot be declared'],
    ['with a line break', ofSuccess({ Location: { ...location, example: 'a\r\nb' } }), 'it is printable ASCII'],
    [
      'Sunset with another date',
      ofSuccess({ Sunset: { ...location, example: '2026-12-31T23:59:59Z' } }),
      'the header Sunset cannot be 2026-12-31T23:59:59Z: it is an HTTP date',
    ],
    [
      'Deprecation that says true',
      ofSuccess({ Deprecation: { ...location, example: 'true' } }),
      'the header Deprecation cannot be true: it is @ and the seconds since 1970',
    ],
    [
      'of a refusal, which no handler writes',
      at({ responses: { 404: { headers: { Location: location } } } }),
      'the header Location of a refusal has to be required, with an enum of one value',
    ],
  ]
  linting(list.map(([what, added, message]): Broken => [what, (contract) => declared(contract, added), message]))
})
