/** Every answer that the contract documents, asked for and judged by Dredd, which reads the contract for itself. */
import { randomUUID } from 'node:crypto'
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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bodyOf, headersOf, targetOf } from '../../scripts/conformance/request.ts'
import { closed } from '../../scripts/contract/closed.ts'
import { type DocumentedAnswer, type DocumentedResponse, documentedAnswers } from '../../scripts/contract/documented.ts'
import { undocumentedHeaders } from '../../scripts/contract/headers.ts'
import { repeatableOperations } from '../../scripts/contract/repeatable.ts'
import { contract } from '../../src/contract/document.ts'
import { operations } from '../../src/http/api/operations/index.ts'
import type { ErrorDetail } from '../../src/kit/problem.ts'
import { readAnswer } from '../support/client.ts'
import { namedScenarios, openStage, type Request, type Stage } from './scenarios.ts'
import { declaredFields, watchHandlers } from './taken.ts'

// Dredd's dependencies do what Node warns of.
vi.hoisted(() => process.removeAllListeners('warning'))

const documented = documentedAnswers()
const playable = namedScenarios()

let stage: Stage
let replayed: Replayed
const taken = watchHandlers(operations)
beforeAll(async () => {
  stage = await openStage()
  replayed = await replay()
})
afterAll(async () => {
  taken.giveBack()
  await stage.close()
})

describe('the service gives every answer that the contract documents, as it documents it', () => {
  it.each(documented)('$name', async ({ name, response, example }) => {
    const { fault, actual } = replayed.verdicts.get(name) ?? { fault: 'Dredd did not ask for it' }
    expect(fault).toBe('')
    const answer = await readAnswer(
      new Response(actual!.body, { status: actual!.statusCode, headers: actual!.headers }),
    )
    expect(withoutChance(answer)).toEqual(withoutChance(example))
    expectHeaders(answer.headers, response)
  })

  it.each(repeatableOperations)('$operationId gives a repeat the kept answer, and marks it', async (repeatable) => {
    const { operationId, example } = repeatable
    const { method, path, response } = documented.find(({ name }) => name === `${operationId} 200 ${example}`)!
    const request = await playable.get(`${operationId} 200 ${example}`)!(stage)
    const url = stage.server.url + targetOf(path, request)
    const headers = { ...headersOf(request), 'Idempotency-Key': randomUUID() }
    const ask = async () => readAnswer(await fetch(url, { method, headers, body: bodyOf(request) ?? null }))
    const [first, again] = [await ask(), await ask()]
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.text).toBe(first.text)
    expectHeaders(again.headers, response)
  })

  it('and has a scenario for each, and none for another', () => {
    expect([...playable.keys()].toSorted()).toEqual(documented.map(({ name }) => name).toSorted())
  })

  it('and Dredd played every scenario, and passed it', () => {
    const tests = playable.size
    expect(replayed.stats).toMatchObject({ tests, passes: tests, failures: 0, errors: 0, skipped: 0 })
  })
})

describe('the handler takes up every parameter and every field of the body that the contract declares', () => {
  it.each(declaredFields)('$operationId $field', ({ operationId, field }) => {
    const fault = `in no scenario of ${operationId} did its handler read ${field} by its name: what it does not read, it ignores`
    expect(taken.has(operationId, field), fault).toBe(true)
  })
})

/** Without what no example can foretell, and in one order where the contract names none. */
function withoutChance({ success, data }: { success?: unknown; data?: unknown }): unknown {
  const chance = ['id', 'request_id', 'trace_id', 'timestamp', 'retry_after', 'receipt']
  const text = JSON.stringify({ success, data }, (name, value) => {
    if (name === 'details') return value.toSorted((a: ErrorDetail, b: ErrorDetail) => a.field.localeCompare(b.field))
    // Whether there is a next page is no chance; where it begins is.
    if (name === 'next' && value !== null) return 'an id'
    return chance.includes(name) ? undefined : value
  })
  return JSON.parse(text)
}

const ajv = new Ajv({ coerceTypes: true, strict: false })

/** Dredd asks neither what is in a header nor whether it may be missing, and not at all about those that nobody described. */
function expectHeaders(actual: Headers, { headers }: DocumentedResponse): void {
  expect(undocumentedHeaders(actual.keys(), Object.keys(headers))).toEqual([])
  for (const [name, { required, schema }] of Object.entries(headers)) {
    const value = actual.get(name)
    if (value === null) expect(required, name).not.toBe(true)
    else expect(ajv.validate(schema, value), `${name}: ${ajv.errorsText()}`).toBe(true)
  }
}

interface Replayed {
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
  documented: DocumentedAnswer
}

type Hook<Given> = (given: Given, done: () => void) => void

interface Hooks {
  beforeAll: (hook: Hook<Transaction[]>) => void
  beforeEach: (hook: Hook<Transaction>) => void
  afterEach: (hook: Hook<Transaction>) => void
}

async function replay(): Promise<Replayed> {
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
  Object.assign(globalThis, { addReplayHooks: addHooks })
  const dredd = new Dredd({
    endpoint: stage.server.url,
    apiDescriptions: [JSON.stringify(contract)],
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

function addHooks({ beforeAll, beforeEach, afterEach }: Hooks): void {
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
      transaction.fullPath = targetOf(path, asked)
      transaction.request.headers = headersOf(asked)
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
