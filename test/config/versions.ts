import { defineConfig } from 'vitest/config'
import { shared, standard, suite } from '../../vitest.config.ts'

const plans = 'test/store/plans.test.ts'

/** What depends on the version of PostgreSQL: all SQL, what holds for many requests at once, migrations, the queue, copies, parts. */
export default defineConfig({
  test: {
    ...suite,
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
