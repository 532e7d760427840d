/** The check of a deployment from outside: a true one passes it, and whatever one lies about is named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admit } from '../../scripts/conformance/admission.ts'
import { createDeployment, type DeploymentParts } from '../../scripts/conformance/deployment.ts'
import { buildTarget } from '../../scripts/conformance/request.ts'
import { type Outcome, runChecks } from '../../scripts/conformance/run.ts'
import { scopeMeanings } from '../../src/contract/document.ts'
import { everyAnswer, type LieCase, lies } from '../support/lies.ts'
import { type LyingProxy, startLyingProxy } from '../support/lyingProxy.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let proxy: LyingProxy
let key: string
let scopedKey: string
beforeAll(async () => {
  server = await startServer({ config: { production: true } })
  proxy = await startLyingProxy(server.url)
  // With the scopes too that a key has only if they were chosen for it: nothing is left untried for want of one.
  key = await server.key({ scopes: Object.keys(scopeMeanings) })
  scopedKey = await server.key({ scopes: [] })
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

let lastWait = performance.now()

/** To wait is to let the server's clock run, and its worker work. What is due, real time moves too: the clock keeps up. */
async function wait(seconds: number): Promise<void> {
  const now = performance.now()
  server.runtime.advance((now - lastWait) / 1000)
  lastWait = now
  await server.advance(seconds)
  await server.work()
}

async function conformance(more: Partial<DeploymentParts> & { only?: string } = {}): Promise<Outcome[]> {
  const { only, ...parts } = more
  const deployment = createDeployment({
    ...{ url: proxy.url, key, scopedKey, timeoutSeconds: 60, long: false, allowedHeaders: [], wait },
    deadline: new AbortController().signal,
    ...parts,
  })
  try {
    await admit(deployment)
    const outcomes = await runChecks({ deployment, only, onOutcome: () => {} })
    expect(deployment.requests()).toBeLessThan(700)
    return outcomes
  } finally {
    await deployment.close()
  }
}

const titlesOf = (outcomes: Outcome[], state: Outcome['state']) =>
  outcomes.filter((outcome) => outcome.state === state).map(({ suite, title }) => `${suite}: ${title}`)

describe('a run', () => {
  it('passes a deployment that keeps every promise', async () => {
    proxy.tell(() => {})
    const outcomes = await conformance({ long: true })
    expect(outcomes.filter(({ state }) => state === 'failed')).toEqual([])
    // What needs a hand inside is said to be not tried: nobody may take it for passed.
    const untried = titlesOf(outcomes, 'not tried')
    expect(untried).toContain('other answers: sendVerification 500 internal_error')
    expect(untried.filter((title) => !title.startsWith('other answers: '))).toEqual([])
  })

  it('says what it leaves out without --long and without a second key', async () => {
    proxy.tell(() => {})
    const outcomes = await conformance({ scopedKey: undefined, only: 'checkVerification' })
    expect(titlesOf(outcomes, 'failed')).toEqual([])
    expect(titlesOf(outcomes, 'not tried')).toEqual(
      expect.arrayContaining([
        'answers: checkVerification 200 expired',
        'answers: checkVerification 403 insufficient_scope',
      ]),
    )
  })

  it('waits as long as a limit of requests says, and asks again', async () => {
    let refusals = 0
    const waited: number[] = []
    proxy.tell((passing) => {
      if (passing.asked.length !== 4 || refusals > 0) return
      refusals += 1
      passing.status = 429
      passing.headers.set('retry-after', '7')
      const data = { code: 'rate_limited', message: 'Slow down.', retry_after: 7 }
      passing.body = { success: false, data: { ...data, trace_id: passing.headers.get('x-trace-id') } }
    })
    const patient = async (seconds: number) => {
      waited.push(seconds)
      await wait(seconds)
    }
    const outcomes = await conformance({ only: 'codes: a code of 4', wait: patient })
    expect([titlesOf(outcomes, 'failed'), waited]).toEqual([[], [7]])
  })

  it('takes a header that it is told of for one of a proxy', async () => {
    proxy.tell(({ headers }) => headers.set('X-Edge', 'edge-1'))
    const only = 'sendVerification'
    expect(titlesOf(await conformance({ only, allowedHeaders: ['x-edge'] }), 'failed')).toEqual([])
    expect(titlesOf(await conformance({ only }), 'failed')).toEqual([everyAnswer('sendVerification')])
  })
})

/** Lies that other checks have to find do not get in each other's way: they are told in one run. */
function splitRounds(cases: LieCase[]): LieCase[][] {
  const rounds: LieCase[][] = []
  for (const one of cases) {
    const free = rounds.find((round) => round.every(({ fails }) => !fails.some((title) => one.fails.includes(title))))
    if (free) free.push(one)
    else rounds.push([one])
  }
  return rounds
}

describe.each(splitRounds(lies).map((round) => ({ round })))('a run finds', ({ round }) => {
  let failed: string[]
  beforeAll(async () => {
    const told = round.map(({ lie }) => lie())
    proxy.tell((passing) => {
      for (const lie of told) lie(passing)
    })
    failed = titlesOf(await conformance(), 'failed')
  })

  it.each(round)('$what', ({ fails }) => {
    expect(failed).toEqual(expect.arrayContaining(fails))
  })

  it('and nothing else', () => {
    expect(failed.toSorted()).toEqual(round.flatMap(({ fails }) => fails).toSorted())
  })
})

describe('a request of a scenario', () => {
  it('has every place of the path and every parameter of the query filled', () => {
    const query = { phone: '+14155550100', limit: '2' }
    expect(buildTarget('/v1/a/{id}/b/{name}', { path: { id: 'x/y', name: 'ü' }, query })).toBe(
      '/v1/a/x%2Fy/b/%C3%BC?phone=%2B14155550100&limit=2',
    )
    expect(buildTarget('/v1/a', { query: 'limit=1&limit=2' })).toBe('/v1/a?limit=1&limit=2')
  })

  it('is refused where a place stays empty, or something has no place', () => {
    expect(() => buildTarget('/v1/a/{id}', {})).toThrow('nothing was given for {id} in /v1/a/{id}')
    expect(() => buildTarget('/v1/a', { path: { id: 'x' } })).toThrow('/v1/a has no place for id')
  })
})
