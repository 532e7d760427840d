/** What else a provider is asked, where a channel does so; and the end. */
import { expect, it } from 'vitest'
import type { Channel } from '../../../../src/delivery/channel.ts'
import { type Behaviour, isHanging, type Trouble } from '../../../support/provider.ts'
import { expectReceipts } from './reports.ts'
import {
  type Beside,
  besides,
  channelFor,
  code,
  expectSilent,
  hastyMs,
  type ProviderDescription,
  type Scene,
} from './scene.ts'
import { behaveAtLast, oddBodies, send } from './sending.ts'

const troubles: Trouble[] = ['gone', 'hang', 'hang in the body', 'reset', 'reset in the body', 'flood']

export function describeAsking(description: ProviderDescription, scene: Scene): void {
  const behaviours: Behaviour[] = [
    ...oddBodies.flatMap((body) => [200, 400, 500].map((status) => ({ status, body }))),
    ({ headers, body }) => ({ status: 200, body: `${body} of ${JSON.stringify(headers)}` }),
    ({ headers, body }) => description.refused?.(`${body} of ${JSON.stringify(headers)}`) ?? { status: 400, body },
    ...troubles,
  ]
  /** Whatever the provider does, it ends, throws nothing, and tells nobody. A check may ask more than once. */
  const inAllTrouble = async <Told>(ask: (channel: Channel) => Promise<Told>, look: (told: Told) => void) => {
    for (const behaviour of behaviours) {
      scene.provider.behave(behaviour)
      const started = performance.now()
      const told = await ask(channelFor(behaviour, scene))
      if (isHanging(behaviour)) expect(performance.now() - started).toBeLessThan(4 * hastyMs + 4000)
      look(told)
      expectSilent([told, scene.runtime.lines], scene)
    }
  }

  const whereIt = (has: Beside) => it.runIf(description.beside.includes(has))

  it('can be asked what it says of itself, and no more', () => {
    expect(besides.filter((part) => scene.channel[part])).toEqual(description.beside)
  })

  whereIt('ask')('asks what became of a message, and leaves it open whatever is answered but that', async () => {
    await inAllTrouble(
      (channel) => channel.ask!('1'),
      (receipt) => expectReceipts(receipt ? [receipt] : [], scene),
    )
  })

  whereIt('confirm')('tells its provider of a right code, whatever is answered', async () => {
    await inAllTrouble(
      (channel) => channel.confirm!('1', code),
      () => {},
    )
  })

  whereIt('check')('finds what is configured good or bad, whatever is answered', async () => {
    await inAllTrouble(
      (channel) => channel.check!([{ slug: 'welcome', settings: undefined }]),
      (findings) => {
        expect(findings.length).toBeGreaterThan(0)
        for (const { level, text } of findings) {
          expect(['good', 'warning', 'bad']).toContain(level)
          expect(text).toMatch(/^[\x20-\x7e]{1,500}$/)
        }
      },
    )
  })

  it('answers nobody who asks whether the address is ours, without what only its provider knows', () => {
    const queries = [
      '',
      'x=1',
      'hub.mode=subscribe&hub.challenge=1',
      'hub.mode=subscribe&hub.challenge=1&hub.verify_token=',
    ]
    for (const query of [...queries, `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${'x'.repeat(100_000)}`]) {
      expect(scene.channel.handshake?.(new URLSearchParams(query))).toBe(undefined)
    }
  })

  it('calls off what is under way when it is closed, and then sends nothing', async () => {
    const closing = scene.open()
    const handed = new Promise<void>((resolve) => {
      behaveAtLast(description, scene, () => {
        resolve()
        return 'hang'
      })
    })
    const sent = send(scene, closing)
    await handed
    await closing.close?.()
    expect(await sent).toMatchObject({ kind: 'unknown' })
    scene.provider.behave(description.taken)
    expect(await send(scene, closing)).toMatchObject({ kind: 'retry' })
  })
}
