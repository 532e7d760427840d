import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export const flows = 'test/flows/**/*.test.ts'
/** Their statements decide, and each database runs them in its own way. */
const caps = 'test/delivery/{caps,spread}.test.ts'
export const shared = {
  // What is waited for comes soon, or not at all; how soon is a question of who else uses the machine.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // A process for each file would spend more time on loading the service than on testing it.
  isolate: false,
}
/** `npm run stage` reads which files failed. */
const { TEST_REPORT: outputFile } = process.env
export const reporters: [string, Record<string, unknown>][] = [
  ['default', {}],
  ...(outputFile ? [['json', { outputFile }] as [string, Record<string, unknown>]] : []),
]
export const standard = { engine: 'postgres', proxied: false, membersMax: 64 } as const

/** What most suites are run with. */
export const suite = {
  globalSetup: 'test/support/globalSetup.ts',
  reporters,
  // Much of a test's time is waiting: three files at once also on a small machine.
  maxWorkers: Math.max(3, availableParallelism() - 1),
}

/**
 * They put something in the place of a module, or of what the whole process has. What writes a log tries its file descriptor
 * again for as long as a line waits: that number could be a connection of the next file's.
 */
const apart = [
  'test/store/plans.test.ts',
  'test/contract/{replay,twilioReplay}.test.ts',
  'test/process/logOutput.test.ts',
]
/** They run whole tools, most of them on a copy of the checkout, and take minutes: `test/config/tools.ts`. */
export const tools = [
  'test/contract/versions.test.ts',
  'test/docs/guide.test.ts',
  'test/tools/{bench,commands,conformance,deploy,dev,monitoring,nothingLeft,onePort,release,soak,stage}.test.ts',
  ...[
    'add',
    'files',
    'headers',
    'history',
    'lists',
    'mock',
    'ownRules',
    'portable',
    'ratings',
    'requests',
    'rules',
    'stories',
  ].map((name) => `test/contract/${name}.test.ts`),
]
/** They start the program many times, as operators do, make databases on the disk or crowds, or wait: `test/config/tools.ts`. */
export const long = [
  'test/{cli,transfer}/**/*.test.ts',
  'test/store/engine/{disk,upkeep}.test.ts',
  'test/domain/keeping/partition*.test.ts',
  'test/{app/tracing,delivery/{kannel,stop},http/crowd}.test.ts',
  'test/docs/{mailing,pasted,readme}.test.ts',
  'test/{tools/conformanceCommand,simulator/simulate}.test.ts',
  'test/process/{atTerminal,brokenDisk,clock,countedSends,crash,databaseUsers,firstOwner,inletCrash,outage,process,processes,proxy,sandbox}.test.ts',
]
/** What strangers write, at every door and to every command. */
export const strangers = ['test/strangers/**/*.test.ts']
export const clients = ['test/clients/**/*.test.ts']
export const examples = ['test/examples/**/*.test.ts']
export const twilio = ['test/twilio/**/*.test.ts']

/** The flows and caps run on PostgreSQL and on the embedded database; the flows in one more way with the long proofs. */
export default defineConfig({
  test: {
    ...suite,
    projects: [
      {
        test: {
          ...shared,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/{faults,hosts,package,pages}/**',
            ...apart,
            ...tools,
            ...long,
            ...strangers,
            ...clients,
            ...examples,
            ...twilio,
          ],
          provide: standard,
        },
      },
      { test: { ...shared, name: 'apart', include: apart, isolate: true, provide: standard } },
      { test: { ...shared, name: 'embedded', include: [flows, caps], provide: { ...standard, engine: 'memory' } } },
    ],
  },
})
