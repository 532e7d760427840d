import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { reporters, shared, standard } from '../../vitest.config.ts'

const plans = 'test/store/plans.test.ts'

/** What depends on the version of PostgreSQL: all SQL, what holds for many requests at once, migrations, the queue, copies, parts. */
export default defineConfig({
  test: {
    globalSetup: 'test/support/globalSetup.ts',
    reporters,
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...shared,
          name: 'sql',
          include: ['test/{store,domain,transfer,flows,jobs,events}/**/*.test.ts'],
          exclude: [plans, 'test/store/engine/{disk,upkeep}.test.ts'],
          provide: standard,
        },
      },
      { test: { ...shared, name: 'plans', include: [plans], isolate: true, provide: standard } },
    ],
  },
})
