import { defineConfig } from 'vitest/config'
import { reporters, shared, standard } from '../../vitest.config.ts'

/** The dashboard in a real Chromium: apart from the suite, because it looks at every page many times. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/pages/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    reporters,
    testTimeout: 240_000,
    maxWorkers: 2,
    provide: standard,
  },
})
