import { defineConfig } from 'vitest/config'
import {
  clients,
  examples,
  flows,
  long,
  shared,
  standard,
  strangers,
  suite,
  tools,
  twilio,
} from '../../vitest.config.ts'

// Compilers, generators and benchmarks, many of which want the whole machine.
const patient = { ...shared, isolate: true, testTimeout: 120_000, provide: standard }

const alone = { ...standard, membersMax: 1 }

/** The long proofs, apart from the suite. */
export default defineConfig({
  test: {
    ...suite,
    projects: [
      { test: { ...patient, name: 'tools', include: tools } },
      { test: { ...shared, name: 'long', include: long, provide: standard } },
      { test: { ...shared, name: 'strangers', include: strangers, provide: standard } },
      // Each request in a transaction of its own.
      { test: { ...shared, name: 'alone', include: ['test/domain/sending/concurrency.test.ts'], provide: alone } },
      // The same, through a Prism proxy, which reads the contract by itself.
      { test: { ...shared, name: 'proxied', include: [flows], provide: { ...alone, proxied: true } } },
      { test: { ...patient, name: 'clients', include: clients } },
      { test: { ...patient, name: 'examples', include: examples } },
      { test: { ...patient, name: 'twilio', include: twilio } },
    ],
  },
})
