import { defineConfig } from 'vitest/config'
import { shared, standard, suite } from '../../vitest.config.ts'

/** The dashboard in a real Chromium: apart from the suite, because it looks at every page many times. */
export default defineConfig({
  test: {
    ...suite,
    ...shared,
    include: ['test/pages/**/*.test.ts'],
    testTimeout: 240_000,
    maxWorkers: 2,
    provide: standard,
  },
})
