import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const flows = 'test/flows/**/*.test.ts'
const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
}
const standard = { engine: 'postgres', proxied: false, membersMax: 64 } as const

/**
 * The flows run four times: on PostgreSQL, there also with each request in a transaction of its own, on the embedded
 * database, and through a Prism proxy that reads the contract.
 */
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
          exclude: ['test/faults/**', 'test/pages/**'],
          provide: standard,
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          include: [flows, 'test/concurrency.test.ts'],
          provide: { ...standard, membersMax: 1 },
        },
      },
      { test: { ...shared, name: 'embedded', include: [flows], provide: { ...standard, engine: 'memory' } } },
      { test: { ...shared, name: 'proxied', include: [flows], provide: { ...standard, proxied: true } } },
    ],
  },
})
