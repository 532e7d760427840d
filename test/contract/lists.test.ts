/** Which lists may get new values while clients rely on them, and how such a change is rated. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

const file = 'openapi.yaml'
const enforce = 'node scripts/diff.ts --enforce'
/** A code in the list of one answer. */
const own = '\n            - check_limit_reached\n'

let checkout: Checkout
let published: string
beforeAll(async () => {
  checkout = await copyCheckout()
  await checkout.run('mkdir -p contract/published/1.0.0 && cp openapi.yaml contract/published/1.0.0/')
  published = await checkout.read(file)
})
afterEach(() => checkout.write(file, published))
afterAll(() => checkout.remove())

describe('a list of values', () => {
  it('that may grow does so with a new minor version', async () => {
    await checkout.replace(file, own, `${own}            - phone_is_off\n`)
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    const { output } = await checkout.run('node scripts/diff.ts')
    expect(output).toMatch(/minor .*code · enum\n *Enum of `code` gained values: 'phone_is_off'\./)
    expect(output).toContain('This asks for a new minor version')
  })

  it.each([
    [
      'that may grow loses no value',
      () => checkout.replace(file, own, '\n'),
      "Enum of `code` lost values: 'check_limit_reached'.",
    ],
    [
      'that is whole does not grow',
      () =>
        checkout.replace(file, '        - expired\n      example', '        - expired\n        - lost\n      example'),
      "Enum of `MessageStatus` gained values: 'lost'.",
    ],
    [
      'that is whole loses no value either',
      () => checkout.replace(file, '        - expired\n      example', '      example'),
      "Enum of `MessageStatus` lost values: 'expired'.",
    ],
    [
      'that was whole when it was published does not grow, though it is marked now',
      () =>
        checkout.replace(
          file,
          '      enum:\n        - queued\n',
          '      x-may-grow: true\n      enum:\n        - lost\n        - queued\n',
        ),
      "Enum of `MessageStatus` gained values: 'lost'.",
    ],
    [
      'that may grow has values all the same',
      () =>
        checkout.write(
          file,
          published.replace(/(LimitedCheckVerificationProblem:\n(?:.*\n)*?)( {10}enum:\n(?: {12}- .*\n)+)/, '$1'),
        ),
      'Enum of `code` was removed.',
    ],
  ])('%s', async (_what, change, told) => {
    await change()
    const { code, output } = await checkout.run(enforce)
    expect([code, output]).toEqual([1, expect.stringContaining(told)])
  })
})
