import { defineConfig } from 'vitest/config'

/** The long rounds, apart from the suite: they have a database server of their own, to kill. */
export default defineConfig({
  test: { include: ['test/faults/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 120_000 },
})
