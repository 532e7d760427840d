import { defineConfig } from 'vitest/config'
import { flows, shared, standard, suite } from '../../vitest.config.ts'
import { allButLeftOut } from '../package/leftOut.ts'

/** What runs on the checkout, on the command of the package, and what is true of the package alone. */
export default defineConfig({
  test: {
    ...suite,
    ...shared,
    include: [
      flows,
      'test/package/*.test.ts',
      'test/inlets/{inlets,systems,texts}.test.ts',
      'test/twilio/{node,snippets}.test.ts',
      'test/pages/{newcomer,channels}.test.ts',
      'test/cli/transfer.test.ts',
      'test/process/{processes,sandbox}.test.ts',
      'test/strangers/*.test.ts',
    ],
    globalSetup: 'test/package/setup.ts',
    testNamePattern: allButLeftOut,
    provide: standard,
  },
})
