/** `examples/zitadel/`: what Zitadel posts for each SMS, posted to the service. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { applyInlet, compile, openStage, type Stage, start } from './stage.ts'

const key = randomBytes(16).toString('hex')

let stage: Stage
let url: string
beforeAll(async () => {
  stage = await openStage()
  url = await applyInlet(stage, 'zitadel', { ZITADEL_SIGNING_KEY: key })
})
afterAll(() => stage?.close())

it('the example of Zitadel compiles under strict settings', async () => {
  expect(await compile('zitadel')).toBe('')
})

describe('what the example posts in place of Zitadel', () => {
  it('brings the code to the phone, in the words of Watchword', async () => {
    expect(await notify(['+14155552681', '40718293'])).toEqual([0, 'webhook called'])
    await vi.waitFor(async () => expect(await textsOn('+14155552681')).toEqual(['Your Acme code is 40718293']), wait)
  })

  it('brings a code with letters as the text of Zitadel', async () => {
    expect(await notify(['+14155552682', '0M53RF'])).toEqual([0, 'webhook called'])
    const text = '0M53RF is your one-time password for id.acme.com.'
    await vi.waitFor(async () => expect(await textsOn('+14155552682')).toEqual([text]), wait)
  })

  it.each([
    ['code', '+14155552684', '40718293'],
    ['text', '+14155552685', '0M53RF'],
  ])('is confirmed by its phone, once, as a %s', async (_what, phone, code) => {
    expect(await notify([phone, code])).toEqual([0, 'webhook called'])
    expect([await stage.confirm(phone), await stage.confirm(phone)]).toEqual([true, false])
  })

  it('is not believed with another key', async () => {
    const told = `calling url ${url} returned 401 Unauthorized`
    expect(await notify(['+14155552683', '40718293'], 'another-key-of-zitadel')).toEqual([1, told])
  })
})

const wait = { timeout: 60_000, interval: 20 }

async function textsOn(phone: string): Promise<string[]> {
  const answer = await fetch(`${stage.service.opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
  return ((await answer.json()) as { text: string }[]).map(({ text }) => text)
}

async function notify(words: string[], own = key): Promise<[number | null, string]> {
  const settings = { INLET_URL: url, ZITADEL_SIGNING_KEY: own }
  const started = start('zitadel', ['node', 'notify.ts', ...words], settings)
  await started.ended
  return [started.child.exitCode, started.output().trim()]
}
