/** Every answer that the contract documents, asked for and judged by Dredd. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, buildHeaders, buildTarget } from '../../scripts/conformance/request.ts'
import { documentedAnswers } from '../../scripts/contract/documented.ts'
import { repeatableOperations } from '../../scripts/contract/repeatable.ts'
import { contract } from '../../src/contract/document.ts'
import { operations } from '../../src/http/api/operations/index.ts'
import type { ErrorDetail } from '../../src/kit/problem.ts'
import { readAnswer } from '../support/client.ts'
import { expectHeaders, type Replayed, replay } from './replaying.ts'
import { namedScenarios, openStage, type Stage } from './scenarios.ts'
import { declaredFields, watchHandlers } from './taken.ts'

const documented = documentedAnswers()
const playable = namedScenarios()

let stage: Stage
let replayed: Replayed
const taken = watchHandlers(operations)
beforeAll(async () => {
  stage = await openStage()
  replayed = await replay({ document: contract, documented, playable, stage })
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
    const url = stage.server.url + buildTarget(path, request)
    const headers = { ...buildHeaders(request), 'Idempotency-Key': randomUUID() }
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
  const moments = ['timestamp', 'created_at', 'expires_at', 'updated_at', 'since']
  const chance = [...moments, 'id', 'slug', 'request_id', 'recipient', 'trace_id', 'retry_after', 'receipt']
  const text = JSON.stringify({ success, data }, (name, value) => {
    if (name === 'details') return value.toSorted((a: ErrorDetail, b: ErrorDetail) => a.field.localeCompare(b.field))
    // Whether there is a next page is no chance; where it begins is.
    if (name === 'next' && value !== null) return 'an id'
    return chance.includes(name) ? undefined : value
  })
  return JSON.parse(text)
}
