import { defineConfig } from 'vitest/config'
import { reporters } from '../../vitest.config.ts'

/** The long rounds, apart from the suite: they have a database server of their own, to kill. */
export default defineConfig({
  test: { reporters, include: ['test/faults/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 120_000 },
})
