/** Messages go out: in time, once, and whatever the provider does. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Outcome, Outgoing } from '../../../../src/delivery/channel.ts'
import { isUnavailable } from '../../../../src/store/failure.ts'
import { type Behaviour, startProvider, troubles } from '../../../support/provider.ts'
import { outgoing } from './material.ts'
import { type ChannelDescription, code, expectSilent, type OpenChannel, phone, type Scene } from './scene.ts'

type Send = (open: OpenChannel, message?: Outgoing) => Promise<Outcome>

/** @returns sends as its tests do */
export function describeSending({ answersWithinMs }: ChannelDescription, scene: Scene): Send {
  const message = (changes: Partial<Outgoing> = {}) => outgoing(scene.server.runtime, { phone, code, ...changes })
  /** @returns the outcome, which came in time, fits the store and tells nobody's secrets */
  const send: Send = async ({ channel, tokens }, one = message()) => {
    const started = performance.now()
    const outcome = await channel.send(one)
    expect(performance.now() - started).toBeLessThan(answersWithinMs)
    expectOutcome(outcome)
    expectSilent([outcome, scene.server.runtime.lines], tokens)
    return outcome
  }

  it('takes a message within ten seconds, with the digits as they are', async () => {
    expect(answersWithinMs).toBeLessThanOrEqual(10_000)
    const one = message()
    expect(await send(scene.open, one)).toMatchObject({ kind: 'sent' })
    expect(await scene.open.received(one.id)).toEqual([expect.stringContaining(code)])
  })

  it('gives its provider one message, however often it is sent, also at once', async () => {
    const one = message()
    for (const attempt of [1, 2, 3]) expect(await send(scene.open, { ...one, attempt })).toMatchObject({ kind: 'sent' })
    await Promise.all([4, 5, 6].map((attempt) => send(scene.open, { ...one, attempt })))
    expect(await scene.open.received(one.id)).toHaveLength(1)
  })

  it("throws nothing but that the service's own database is away, and then says nothing of the message", async () => {
    const { channel, tokens } = scene.cut
    const answered = await channel.send(message()).then(expectOutcome, (error: unknown) => {
      expect(isUnavailable(error)).toBe(true)
      expectSilent([error], tokens)
      return 'thrown'
    })
    expect([undefined, 'thrown']).toContain(answered)
  })
  return send
}

export function describeProvider(
  outcomes: NonNullable<ChannelDescription['outcomes']>,
  scene: Scene,
  send: Send,
): void {
  const behave = (behaviour: Behaviour) => scene.open.behave!(behaviour)

  it('answers with an outcome whatever its provider answers, and shows nobody what that quotes', async () => {
    const words = fc.constantFrom('{', '{}', '[]', 'null', '<html>', '', '{"id":"\\u0000"}', '{"id":1}', '{"ok":false}')
    const body = fc.oneof(words, fc.json(), fc.uint8Array(), fc.constant(`{"id":"${'9'.repeat(70_000)}"}`))
    const retryAfter = fc.constantFrom('', '0', '7', '-1', '1e99', 'NaN', 'Fri, 21 Nov 2036 09:00:00 GMT')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: 599 }), body, retryAfter, async (status, body, wait) => {
        behave({ status, headers: { 'Retry-After': wait }, body })
        await send(scene.open)
      }),
      { numRuns: 150 },
    )
    for (const status of [200, 202, 400, 401, 429, 500]) {
      behave(({ headers, body: quoted }) => ({ status, body: JSON.stringify({ error: { headers, quoted } }) }))
      await send(scene.open)
      behave(({ headers, body: quoted }) => ({ status, body: `${quoted} of ${headers.authorization}` }))
      await send(scene.open)
    }
  })

  it.each(troubles)('answers in time when it meets: %s', async (trouble) => {
    behave(trouble)
    expect(await send(scene.open)).not.toMatchObject({ kind: 'sent' })
  })

  it('does not follow its provider to another address', async () => {
    const elsewhere = await startProvider({ status: 200, body: '{}' })
    for (const status of [301, 302, 303, 307, 308]) {
      behave({ status, headers: { Location: elsewhere.url } })
      expect(await send(scene.open)).not.toMatchObject({ kind: 'sent' })
    }
    await elsewhere.close()
    expect(elsewhere.asked).toEqual([])
  })

  it.each(outcomes)('knows what it is: %s', async (_title, behaviour, outcome) => {
    behave(behaviour)
    expect(await send(scene.open)).toEqual(outcome)
  })
}

function expectOutcome(outcome: Outcome): void {
  const sizes = { sent: 300, retry: 200, failed: 100 }
  expect(Object.keys(sizes)).toContain(outcome.kind)
  expect(JSON.stringify(outcome).length).toBeLessThan(sizes[outcome.kind])
  if (outcome.kind === 'sent') expect(outcome.providerMessageId ?? 'none').toMatch(/^[\x21-\x7e]{1,255}$/)
  if (outcome.kind !== 'retry') return
  expect(outcome.reason).toMatch(/^[\x20-\x7e]+$/)
  const { afterSeconds = 1 } = outcome
  expect(Number.isInteger(afterSeconds) && afterSeconds >= 0 && afterSeconds <= 24 * 3600, `${afterSeconds}`).toBe(true)
}
