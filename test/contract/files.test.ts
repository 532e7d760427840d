/** A contract in several files: the same rules, each fault with its own file and line, and the same code made from it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/document.ts'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

const lint = 'redocly lint openapi.yaml --max-problems 1000 --format json'

interface Found {
  problems: { message: string; location: [{ source: { ref: string }; start: { line: number } }] }[]
}

/** @returns what the lint says, each as `file:line message` */
async function linted(checkout: Checkout): Promise<string[]> {
  const { output } = await checkout.run(lint)
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)
  return (JSON.parse(json) as Found).problems.map(
    ({ message, location: [{ source, start }] }) => `${source.ref}:${start.line} ${message}`,
  )
}

async function lineOf(checkout: Checkout, file: string, text: string): Promise<number> {
  return (await checkout.read(file)).split('\n').findIndex((line) => line.includes(text)) + 1
}

describe('a contract that `redocly split` has put into a file for each path and component', () => {
  let checkout: Checkout
  beforeAll(async () => {
    checkout = await copyCheckout()
    const { code, output } = await checkout.run(
      'redocly split openapi.yaml --outDir spec && rm openapi.yaml && mv spec/* . && rmdir spec',
    )
    expect(code, output).toBe(0)
  })
  afterAll(() => checkout.remove())

  it('keeps the rules, and makes the same code', async () => {
    expect(await linted(checkout)).toEqual([])
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
  })

  it('has a change rated as in one file, and a split alone is none', async () => {
    const { version } = contract.info
    const published = `contract/published/${version}`
    await checkout.run(`mkdir -p ${published} && redocly bundle openapi.yaml --output ${published}/openapi.yaml`)
    expect(await checkout.run('node scripts/diff.ts')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 breaking (major), 0 not breaking (0 minor, 0 patch)'),
    })
    const request = 'components/schemas/SendVerificationRequest.yaml'
    const begun = await checkout.read(request)
    await checkout.write(request, begun.replace('maxLength: 30', 'maxLength: 20'))
    const { output } = await checkout.run('node scripts/diff.ts')
    await checkout.write(request, begun)
    expect(output).toContain("`maxLength` of `brand_name` changed from '30' to '20'.")
    expect(output).toContain('at openapi.yaml, bundled:')
    expect(output).toContain('1 breaking (major), 0 not breaking')
  })

  it.each<[what: string, file: string, before: string, after: string, message: string]>([
    [
      'an error code that no list has',
      'components/schemas/LimitedSendVerificationProblem.yaml',
      '- resend_cooldown',
      '- resend_cooldwn',
      '"resend_cooldwn" is not in the list of error codes',
    ],
    [
      'a scope that no key can have',
      'paths/v1_verify_check.yaml',
      'x-required-scope: verify:write',
      'x-required-scope: verify:read',
      'no key has the scope verify:read',
    ],
    [
      'an answer outside the envelope',
      'components/schemas/CheckVerificationReply.yaml',
      'x-always: true',
      'x-never: true',
      'must be an object with the required fields success',
    ],
    [
      'a size in words that is no limit',
      'components/schemas/ErrorCode.yaml',
      '16,384',
      '16,385',
      'no limit of the contract is 16,385 bytes',
    ],
    [
      'a text without an end',
      'components/schemas/SendVerificationRequest.yaml',
      'maxLength: 30',
      'x-long: 30',
      'brand_name has no end: add a maxLength',
    ],
    [
      'a reference that leads nowhere',
      'components/schemas/CheckVerificationReply.yaml',
      'CheckResult.yaml',
      'CheckResults.yaml',
      'CheckResults.yaml is not there',
    ],
    [
      'a field with a name in camelCase',
      'components/schemas/Verified.yaml',
      'timestamp:',
      'timeStamp:',
      'timeStamp is no name in snake_case',
    ],
  ])('has %s told with its file and line', async (_what, file, before, after, message) => {
    const begun = await checkout.read(file)
    expect(begun).toContain(before)
    await checkout.write(file, begun.replace(before, after))
    const found = await linted(checkout)
    await checkout.write(file, begun)
    expect(found.filter((fault) => fault.includes(message))).toEqual([
      expect.stringMatching(new RegExp(`^${file.replaceAll('.', '\\.')}:[1-9]`)),
    ])
  })

  it('has two files of one name told: generators write both into one folder', async () => {
    const reply = 'components/schemas/CheckVerificationReply.yaml'
    const begun = await checkout.read(reply)
    await checkout.write('components/schemas/MessageID.yaml', 'type: string\ndescription: An id.\nmaxLength: 30\n')
    await checkout.write('components/schemas/MessageId.yaml', 'type: string\ndescription: An id.\nmaxLength: 30\n')
    await checkout.write(
      reply,
      `${begun}  first:\n    $ref: ./MessageID.yaml\n  second:\n    $ref: ./MessageId.yaml\n`.replace(/\n\n/g, '\n'),
    )
    const found = await linted(checkout)
    await checkout.write(reply, begun)
    expect(found.some((fault) => fault.includes('./MessageId.yaml has the name of ./MessageID.yaml'))).toBe(true)
  })
})

describe('a path in a file of its own that refers back to `openapi.yaml`', () => {
  let checkout: Checkout
  beforeAll(async () => {
    checkout = await copyCheckout()
    const contract = await checkout.read('openapi.yaml')
    const [item = ''] = /^ {2}\/v1\/verify\/cancel:\n(?: {3,}.*\n|\n)*/m.exec(contract) ?? []
    const lines = item.split('\n').slice(1)
    const own = lines.map((line) => line.replace(/^ {4}/, '')).join('\n')
    await checkout.run('mkdir spec')
    await checkout.write('spec/cancel.yaml', own.replaceAll('"#/components', '"../openapi.yaml#/components'))
    await checkout.write('openapi.yaml', contract.replace(item, '  /v1/verify/cancel:\n    $ref: "spec/cancel.yaml"\n'))
  })
  afterAll(() => checkout.remove())

  it('keeps the rules, and makes the same code', async () => {
    expect(await linted(checkout)).toEqual([])
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
  })

  it('has its fault told at its own line', async () => {
    await checkout.replace('spec/cancel.yaml', 'x-required-scope: verify:write', 'x-required-scope: verify:wirte')
    const line = await lineOf(checkout, 'spec/cancel.yaml', 'verify:wirte')
    expect(await linted(checkout)).toContainEqual(
      expect.stringMatching(new RegExp(`^spec/cancel\\.yaml:${line} no key has the scope verify:wirte`)),
    )
  })
})
