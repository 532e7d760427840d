/** Messages go out: in time, and whatever the provider does. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import contract from '../../../../generated/contract.json' with { type: 'json' }
import type { Channel, Outcome, Outgoing } from '../../../../src/delivery/channel.ts'
import { freePort } from '../../../support/port.ts'
import {
  type Answer,
  type Asked,
  type Behaviour,
  isHanging,
  startProvider,
  type Trouble,
} from '../../../support/provider.ts'
import { outgoing } from './material.ts'
import { channelFor, code, expectSilent, hastyMs, type ProviderDescription, phone, type Scene } from './scene.ts'

/** @returns the outcome, which fits the store and tells nobody's secrets */
export async function send(scene: Scene, channel: Channel, changes: Partial<Outgoing> = {}): Promise<Outcome> {
  const { runtime, content } = scene
  const outcome = await channel.send(outgoing(runtime, { phone, content, ...changes }))
  expectOutcome(outcome)
  expectSilent([outcome, runtime.lines], scene)
  return outcome
}

/** The provider takes all that leads to a message, and behaves so when it is handed over. */
export function behaveAtLast(
  { taken, handsOver = () => true }: Pick<ProviderDescription, 'taken' | 'handsOver'>,
  { provider }: Scene,
  behaviour: Answer | Trouble | ((asked: Asked) => Answer | Trouble),
): void {
  const then = typeof behaviour === 'function' ? behaviour : () => behaviour
  provider.behave((asked) => (handsOver(asked) ? then(asked) : taken(asked)))
}

export function describeSending({ taken, handsOver = () => true }: ProviderDescription, scene: Scene): void {
  it('hands a message over once, with the digits and the phone as they are', async () => {
    scene.provider.behave(taken)
    scene.provider.asked.length = 0
    expect(await send(scene, scene.channel)).toMatchObject({ kind: 'sent' })
    const handed = scene.provider.asked.filter(handsOver)
    const texts = handed.map(({ path, body }) => path + body)
    expect(texts.map((text) => [text.includes(code), text.includes(phone.slice(1))])).toEqual([[true, true]])
  })

  it('names a message to its provider in the same way at every attempt, and no other one so', async () => {
    scene.provider.behave(taken)
    const { id } = outgoing(scene.runtime, { phone, content: scene.content })
    const handedAs = async (changes: Partial<Outgoing>) => {
      scene.provider.asked.length = 0
      expect(await send(scene, scene.channel, { id, ...changes })).toMatchObject({ kind: 'sent' })
      return JSON.stringify(scene.provider.asked.filter(handsOver))
    }
    const first = await handedAs({ attempt: 1 })
    expect(first).toContain(id)
    for (const attempt of [2, 3, 20]) expect(await handedAs({ attempt })).toBe(first)
    expect(await handedAs({ leg: 2 })).not.toBe(first)
    expect(await handedAs({ id: id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })).not.toBe(first)
  })

  it('knows that a message did not leave when the connection is refused', async () => {
    const nobody = scene.open({ url: `http://127.0.0.1:${await freePort()}` })
    expect(await send(scene, nobody)).toMatchObject({ kind: 'retry' })
  })

  it.each(['hang', 'reset', 'hang in the body', 'reset in the body'] satisfies Trouble[])(
    'does not know what became of a message, and says so in time, when the answer is: %s',
    async (trouble) => {
      behaveAtLast({ taken, handsOver }, scene, trouble)
      const started = performance.now()
      expect(await send(scene, channelFor(trouble, scene))).toMatchObject({ kind: 'unknown' })
      // The rest is for a machine that is busy.
      if (isHanging(trouble)) expect(performance.now() - started).toBeLessThan(hastyMs + 4000)
    },
  )
}

export function describeProvider(description: ProviderDescription, scene: Scene): void {
  it('answers with an outcome whatever its provider answers, and never shows what that quotes', async () => {
    const body = fc.oneof(fc.constantFrom(...oddBodies), fc.json(), fc.uint8Array())
    const retryAfter = fc.constantFrom('', '0', '7', '-1', '1e99', 'NaN', 'Fri, 21 Nov 2036 09:00:00 GMT')
    const answer = fc
      .record({ status: fc.integer({ min: 200, max: 599 }), body, retryAfter })
      .map(({ retryAfter, ...rest }) => ({ ...rest, headers: { 'Retry-After': retryAfter } }))
    await fc.assert(
      fc.asyncProperty(answer, fc.boolean(), async (one, isAtLast) => {
        if (isAtLast) behaveAtLast(description, scene, one)
        else scene.provider.behave(one)
        await send(scene, scene.channel)
      }),
      { numRuns: 150 },
    )
    for (const behaviour of quoting(description)) {
      behaveAtLast(description, scene, behaviour)
      await send(scene, scene.channel)
      scene.provider.behave(behaviour)
      await send(scene, scene.channel)
    }
  })

  it.each(oddBodies.map((body) => [body.slice(0, 40), body]))(
    'answers with an outcome to: %s',
    async (_title, body) => {
      for (const status of [200, 400, 500]) {
        behaveAtLast(description, scene, { status, body })
        await send(scene, scene.channel)
      }
      behaveAtLast(description, scene, { status: 500, body })
      expect(await send(scene, scene.channel)).toMatchObject({ kind: 'unknown' })
    },
  )

  it('reads no answer without an end', async () => {
    behaveAtLast(description, scene, 'flood')
    await send(scene, scene.channel)
  })

  it('does not follow its provider to another address', async () => {
    const elsewhere = await startProvider(description.taken)
    for (const status of [301, 302, 303, 307, 308]) {
      behaveAtLast(description, scene, { status, headers: { Location: elsewhere.url } })
      expect(await send(scene, scene.channel)).not.toMatchObject({ kind: 'sent' })
      scene.provider.behave({ status, headers: { Location: elsewhere.url } })
      expect(await send(scene, scene.channel)).not.toMatchObject({ kind: 'sent' })
    }
    await elsewhere.close()
    expect(elsewhere.asked).toEqual([])
  })
}

export const oddBodies = [
  ...['', '{', '{}', '[]', 'null', 'true', '1', '"x"', '\0', '<html><h1>Internal Server Error</h1></html>', '[[{}]]'],
  ...['{"ok":false}', '{"ok":true}', '{"error":null}', '{"error":{"code":"x"}}', '{"id":"\\u0000"}', '{"__proto__":1}'],
  '['.repeat(10_000),
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`,
  `{"pad":"${'9'.repeat(70_000)}"}`,
]

/** Answers that quote what was asked, whole and in parts. */
function quoting({ refused }: ProviderDescription): Behaviour[] {
  const quotes = [
    ({ headers, body }: Asked) => JSON.stringify({ error: { headers, body } }),
    ({ headers, body }: Asked) => JSON.stringify({ error: `${body} of ${headers.authorization}` }),
    ({ headers, body }: Asked) => `${body} of ${JSON.stringify(headers)}`,
    ({ headers }: Asked) => `${headers.authorization}`,
    () => code,
    () => phone,
  ]
  return quotes.flatMap((quote): Behaviour[] => [
    ...[200, 400, 401, 403, 429, 500].map((status) => (asked: Asked) => ({ status, body: quote(asked) })),
    ...(refused ? [(asked: Asked) => refused(quote(asked))] : []),
  ])
}

const errorCodes = contract.components.schemas.DeliveryError.properties.code.enum

function expectOutcome(outcome: Outcome): void {
  if (outcome.kind === 'sent') {
    expect(outcome.providerMessageId ?? 'none').toMatch(/^[\x21-\x7e]{1,255}$/)
    const waits = [0, ...(outcome.askAfterSeconds ?? [])]
    expect(waits.every((wait, at) => at === 0 || wait > waits[at - 1]!)).toBe(true)
    return
  }
  expect(['retry', 'failed', 'down', 'unknown']).toContain(outcome.kind)
  expect(outcome.reason).toMatch(/^[\x20-\x7e]{1,220}$/)
  expect(outcome.providerCode ?? 'none').toMatch(/^[\x21-\x7e]{1,100}$/)
  if (outcome.kind === 'failed') expect(errorCodes).toContain(outcome.code)
  if (outcome.kind !== 'retry') return
  const { afterSeconds = 1 } = outcome
  expect(Number.isInteger(afterSeconds) && afterSeconds >= 0 && afterSeconds <= 24 * 3600, `${afterSeconds}`).toBe(true)
}
