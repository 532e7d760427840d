import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const flows = 'test/flows/**/*.test.ts'
const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

/** The flows run three times: on PostgreSQL, on the embedded database, and through a Prism proxy that reads the contract. */
export default defineConfig({
  test: {
    globalSetup: 'test/support/globalSetup.ts',
    // Much of a test's time is waiting: two files at once also on a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...shared,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/faults/**'],
          provide: { engine: 'postgres', proxied: false },
        },
      },
      { test: { ...shared, name: 'embedded', include: [flows], provide: { engine: 'memory', proxied: false } } },
      { test: { ...shared, name: 'proxied', include: [flows], provide: { engine: 'postgres', proxied: true } } },
    ],
  },
})
