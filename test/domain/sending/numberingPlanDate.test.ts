import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { numberingPlan } from '../../../src/domain/sending/phones/numberingPlanDate.ts'

it('the date of the numbering plan is that of the version in use (npm view libphonenumber-js time)', () => {
  const { version } = createRequire(import.meta.url)('libphonenumber-js/package.json') as { version: string }
  expect(numberingPlan.version).toBe(version)
})
