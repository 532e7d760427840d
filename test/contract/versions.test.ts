/** OpenAPI 3.1 as the source: this contract written in it keeps the rules, makes the same code, and is no change. */
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOpenApi30 } from '../../scripts/contract/openapi31.ts'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

let checkout: Checkout
let contract: string
beforeAll(async () => {
  checkout = await copyCheckout()
  await checkout.commit()
  contract = inOpenApi31(await checkout.read('openapi.yaml'))
  await checkout.write('openapi.yaml', contract)
})
afterAll(() => checkout.remove())

/** As a person rewrites it. */
function inOpenApi31(text: string): string {
  const [before, schemas] = text
    .replace(/^openapi: 3\.0\.\d$/m, 'openapi: 3.1.1')
    .replace(/^x-webhooks:$/m, 'webhooks:')
    .replaceAll('type: string\n          nullable: true\n', 'type: [string, "null"]\n')
    .replaceAll(/^( +)enum:\n +- (\S+)\n(?! +- )/gm, '$1const: $2\n')
    .replaceAll(/^( +)x-always: (true|false)$/gm, '$1const: $2')
    .split('\n  schemas:\n') as [string, string]
  return `${before}\n  schemas:\n${schemas.replaceAll(/^( {6}| {10})example: (.+)$/gm, '$1examples:\n$1  - $2')}`
}

/** @returns each fault as `line message` */
async function linted(text: string): Promise<string[]> {
  await checkout.write('openapi.yaml', text)
  const { output } = await checkout.run('redocly lint openapi.yaml --format json')
  await checkout.write('openapi.yaml', contract)
  const { problems } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
    problems: { message: string; location: [{ start: { line: number } }] }[]
  }
  return problems.map(({ message, location: [{ start }] }) => `${start.line} ${message}`)
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length
}

describe('the contract in OpenAPI 3.1', () => {
  it('keeps the rules, with webhooks, lists of types, constants, and examples of schemas', async () => {
    for (const form of ['\nwebhooks:\n', 'type: [string, "null"]', 'const: verified', 'const: true', 'examples:\n'])
      expect(contract).toContain(form)
    expect(contract).not.toMatch(/nullable:|x-always:|x-webhooks:\n/)
    expect(await linted(contract)).toEqual([])
  })

  it('makes the same types, validators, events and served forms, byte for byte', async () => {
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
  })

  it('has the service give every answer that is documented', async () => {
    const { code, output } = await checkout.run('vitest run --project apart test/contract/replay.test.ts')
    expect(code, output).toBe(0)
  }, 600_000)

  it('has the mock give the same answers as the service', async () => {
    const tests = '--project tools test/contract/mock.test.ts -t "is asked|is preferred"'
    const { code, output } = await checkout.run(`vitest run --config test/config/tools.ts ${tests}`)
    expect(code, output).toBe(0)
    expect(stripVTControlCharacters(output)).toMatch(/Tests +[1-9]\d+ passed/)
  }, 600_000)

  it('is no change to the one in OpenAPI 3.0', async () => {
    expect(await checkout.run('node scripts/diff.ts HEAD')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 breaking (major), 0 not breaking (0 minor, 0 patch)'),
    })
  })

  it('has its faults told at their lines, also what 3.0 has no form for', async () => {
    const broken = contract
      .replace('x-required-scope: notifications:write', 'x-required-scope: notifications:wirte')
      .replace(
        '        brand_name:\n          type: string\n',
        '        brand_name:\n          type: [string, integer]\n',
      )
    const found = await linted(broken)
    expect(found).toContainEqual(
      expect.stringContaining(`${lineOf(broken, 'notifications:wirte')} no key has the scope notifications:wirte`),
    )
    expect(found).toContainEqual(
      expect.stringContaining(
        `${lineOf(broken, '[string, integer]')} a type of string or integer has no form in OpenAPI 3.0`,
      ),
    )
  })

  it('is refused as 3.2, which is not supported yet', async () => {
    expect(await linted(contract.replace('openapi: 3.1.1', 'openapi: 3.2.0'))).toEqual([
      expect.stringContaining('1 OpenAPI 3.2.0 is not supported yet: write 3.0.3 or 3.1.1'),
    ])
  })
})

describe('a form of OpenAPI 3.1 becomes the one of 3.0 that means the same', () => {
  const Id = { type: 'string' }
  const shared = { in: 'header', name: 'X-Id', description: 'An id.', schema: Id }
  const made = (schema: object, more: object = {}) =>
    inOpenApi30({ openapi: '3.1.1', components: { schemas: { Id, Made: schema }, parameters: { shared }, ...more } })
      .components as unknown as { schemas: { Made: object }; parameters: { own: object } }

  it.each<[what: string, before: object, after: object]>([
    ['what may be null', { type: ['integer', 'null'] }, { type: 'integer', nullable: true }],
    ['a constant', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a constant boolean', { type: 'boolean', const: false }, { type: 'boolean', 'x-always': false }],
    ['an exclusive bound', { exclusiveMinimum: 1 }, { minimum: 1, exclusiveMinimum: true }],
    ['the closer of two bounds', { maximum: 5, exclusiveMaximum: 9 }, { maximum: 5, exclusiveMaximum: false }],
    ['several examples', { examples: [1, 2] }, { example: 1, 'x-examples': [1, 2] }],
    [
      'what stands beside a reference',
      { $ref: '#/components/schemas/Id', readOnly: true },
      { allOf: [{ $ref: '#/components/schemas/Id' }], readOnly: true },
    ],
    [
      'a field that has the name of a keyword',
      { properties: { const: { type: 'string', const: 'a' } } },
      { properties: { const: { type: 'string', enum: ['a'] } } },
    ],
    ['a value that looks like a schema', { default: { const: 1 } }, { default: { const: 1 } }],
  ])('%s', (_what, before, after) => {
    expect(made(before).schemas.Made).toEqual(after)
  })

  it('what stands beside a reference to a parameter, and in a parameter beside that to its schema', () => {
    const own = { $ref: '#/components/parameters/shared', description: 'Its own words.' }
    expect(made({}, { parameters: { shared, own } }).parameters.own).toEqual({
      ...shared,
      description: 'Its own words.',
    })
    const beside = { ...shared, schema: { $ref: '#/components/schemas/Id', maxLength: 5 } }
    expect(made({}, { parameters: { own: beside } }).parameters.own).toEqual({
      ...shared,
      schema: { ...Id, maxLength: 5 },
    })
  })
})
