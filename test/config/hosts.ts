import { defineConfig } from 'vitest/config'
import { reporters } from '../../vitest.config.ts'

/** Several hosts, in a network of their own that `npm run test:hosts` makes. */
export default defineConfig({
  test: { reporters, include: ['test/hosts/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 120_000 },
})
