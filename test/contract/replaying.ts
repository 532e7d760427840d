/** Dredd, which reads a contract for itself: it asks a service for every answer that is documented, and judges each. */
import { EventEmitter } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
// @ts-expect-error Dredd has no types.
import Dredd from 'dredd'
// @ts-expect-error Dredd has no types, and no setting that silences its report.
import report from 'dredd/build/reporters/reporterOutputLogger.js'
import { expect, vi } from 'vitest'
import { bodyOf, buildHeaders, buildTarget } from '../../scripts/conformance/request.ts'
import { closed } from '../../scripts/contract/closed.ts'
import type { DocumentedAnswer, DocumentedResponse } from '../../scripts/contract/documented.ts'
import { undocumentedHeaders } from '../../scripts/contract/headers.ts'
import type { Request, Scenario, Stage } from './scenarios.ts'

// Dredd's dependencies do what Node warns of.
vi.hoisted(() => process.removeAllListeners('warning'))

const ajv = new Ajv({ coerceTypes: true, strict: false })

/** Dredd asks neither what is in a header nor whether it may be missing, and not at all about those that nobody described. */
export function expectHeaders(actual: Headers, { headers }: DocumentedResponse): void {
  expect(undocumentedHeaders(actual.keys(), Object.keys(headers))).toEqual([])
  for (const [name, { required, schema }] of Object.entries(headers)) {
    const value = actual.get(name)
    if (value === null) expect(required, name).not.toBe(true)
    else expect(ajv.validate(schema, value), `${name}: ${ajv.errorsText()}`).toBe(true)
  }
}

export interface Replayed {
  verdicts: Map<string, Verdict>
  stats: object
}

interface Verdict {
  /** What Dredd found wrong; empty when nothing is. */
  fault: string
  actual?: { statusCode: number; headers: Record<string, string>; body: string }
}

interface Transaction {
  /** Becomes the title of Dredd's test. */
  id: string
  port: string
  fullPath: string
  request: { method: string; headers: Record<string, string>; body: string | undefined }
  expected: { statusCode: string; headers: Record<string, string>; bodySchema: string }
  origin: { resourceName: string }
  fail?: string
  documented: DocumentedAnswer<string>
}

type Hook<Given> = (given: Given, done: () => void) => void

interface Hooks {
  beforeAll: (hook: Hook<Transaction[]>) => void
  beforeEach: (hook: Hook<Transaction>) => void
  afterEach: (hook: Hook<Transaction>) => void
}

interface Play {
  /** The contract, as Dredd reads it. */
  document: object
  documented: readonly DocumentedAnswer<string>[]
  /** By the names of the answers. */
  playable: ReadonlyMap<string, Scenario>
  stage: Stage
}

/** Asks for every answer, in the order of the contract. */
export async function replay({ document, documented, playable, stage }: Play): Promise<Replayed> {
  const verdicts = new Map<string, Verdict>()
  const emitter = new EventEmitter()
  emitter.on('test pass', ({ title, actual }) => verdicts.set(title, { fault: '', actual }))
  emitter.on('test fail', ({ title, message, actual }) =>
    verdicts.set(title, { fault: [message, actual?.body].join(' ') }),
  )
  emitter.on('test error', (error, { title }) => verdicts.set(title, { fault: String(error) }))
  report.transports.console.silent = true

  // Dredd takes hooks from CommonJS files alone.
  const folder = await mkdtemp(join(tmpdir(), 'watchword-replay-'))
  const hookfile = join(folder, 'hooks.cjs')
  await writeFile(hookfile, `globalThis.addReplayHooks(require('hooks'))`)
  Object.assign(globalThis, { addReplayHooks: addHooks({ documented, playable, stage }) })
  const dredd = new Dredd({
    endpoint: stage.server.url,
    apiDescriptions: [JSON.stringify(document)],
    hookfiles: [hookfile],
    loglevel: 'silent',
    emitter,
  })
  try {
    const stats = await promisify(dredd.run.bind(dredd))()
    return { verdicts, stats: stats as object }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const addHooks =
  ({ documented, playable, stage }: Omit<Play, 'document'>) =>
  ({ beforeAll, beforeEach, afterEach }: Hooks): void => {
    let undo: Request['undo']

    // Dredd has one transaction for each status, with a good request: each becomes one for each example.
    beforeAll((transactions, done) => {
      const plays = transactions.flatMap((transaction) =>
        documented
          .filter(({ status }) => status === transaction.expected.statusCode)
          .filter(({ path }) => path === transaction.origin.resourceName)
          .filter(({ method }) => method === transaction.request.method)
          .map((answer) => ({ ...structuredClone(transaction), id: answer.name, documented: answer })),
      )
      transactions.splice(0, transactions.length, ...plays)
      done()
    })

    beforeEach(
      settled(async (transaction) => {
        const { name, path, response } = transaction.documented
        const scenario = playable.get(name)
        if (!scenario) throw new Error('no scenario makes this happen')
        const asked = await scenario(stage)
        undo = asked.undo
        transaction.port = new URL((asked.server ?? stage.server).url).port
        transaction.fullPath = buildTarget(path, asked)
        transaction.request.headers = buildHeaders(asked)
        transaction.request.body = bodyOf(asked)
        transaction.expected.headers = { 'Content-Type': 'application/json' }
        // Left to itself, Dredd passes any body that has the example's fields.
        const schema = closed(response.content['application/json'].schema)
        transaction.expected.bodySchema = JSON.stringify({
          $schema: 'http://json-schema.org/draft-07/schema#',
          ...schema,
        })
      }),
    )

    afterEach(
      settled(async () => {
        await undo?.()
        undo = undefined
      }),
    )
  }

/** A hook that Dredd waits for, and whose error fails the transaction. */
function settled(work: (transaction: Transaction) => Promise<void>): Hook<Transaction> {
  return (transaction, done) => {
    work(transaction)
      .catch((error: unknown) => {
        transaction.fail = String(error)
      })
      .then(done)
  }
}
