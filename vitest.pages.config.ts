import { defineConfig } from 'vitest/config'

/** The dashboard in a real Chromium: apart from the suite, because it looks at every page many times. */
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    provide: { engine: 'postgres', proxied: false, membersMax: 64 },
  },
})
