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
    projects: [
      {
        test: {
          ...shared,
          name: 'service',
          include: ['test/**/*.test.ts'],
          provide: { engine: 'postgres', proxied: false },
        },
      },
      { test: { ...shared, name: 'embedded', include: [flows], provide: { engine: 'memory', proxied: false } } },
      { test: { ...shared, name: 'proxied', include: [flows], provide: { engine: 'postgres', proxied: true } } },
    ],
  },
})
