/** A designer adds a rule of their own, as `docs/designers/own-rules.md` shows. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { blocksOf, pageOf } from '../support/docs.ts'

let checkout: Checkout
beforeAll(async () => {
  checkout = await copyCheckout()
})
afterAll(() => checkout?.remove())

it('a rule of the page lets this contract pass, and names the line that breaks it', async () => {
  const [rule = ''] = blocksOf('yaml', pageOf('docs/designers/own-rules.md'))
  await checkout.replace('redocly.yaml', '\nrules:\n', `\nrules:\n${rule.replaceAll(/^/gm, '  ')}\n`)
  const lint = () => checkout.run('redocly lint openapi.yaml')
  expect(await lint()).toMatchObject({ code: 0 })

  await checkout.replace('openapi.yaml', 'summary: Cancel a verification\n', 'summary: Cancel a verification.\n')
  const lines = (await checkout.read('openapi.yaml')).split('\n')
  const line = lines.findIndex((text) => text.endsWith('summary: Cancel a verification.')) + 1
  const { code, output } = await lint()
  expect(code).toBe(1)
  expect(output).toContain(`openapi.yaml:${line}:`)
  expect(output).toContain('a summary must not end with a full stop')
})
