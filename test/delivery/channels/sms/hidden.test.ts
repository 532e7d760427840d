/** What a provider of SMS quotes of a message, and nobody is to see. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSmsKind } from '../../../../src/delivery/channels/sms/sms.ts'
import type { Content } from '../../../../src/domain/sending/content.ts'
import { localGuard } from '../../../support/guard.ts'
import { type Provider, startProvider } from '../../../support/provider.ts'
import { testRuntime } from '../../../support/runtime.ts'
import { acme } from './acme.ts'

let provider: Provider
beforeAll(async () => {
  provider = await startProvider({ status: 400, body: '{}' })
})
afterAll(() => provider.close())

const text = (words: string): Content => ({ kind: 'notification', variables: {}, text: words, channels: {} })

async function toldOf(content: Content, word: string, file = acme) {
  provider.behave({ status: 400, body: JSON.stringify({ errors: [{ code: word }] }) })
  const runtime = testRuntime()
  const kind = createSmsKind({ guard: localGuard })
  const entry = { provider: './acme.yaml', provider_file: file, api_key: 'key-1', from: 'Acme', base_url: provider.url }
  const parts = { accountId: 'acct_a', connection: 'sms', publicUrl: undefined, runtime, log: runtime.log }
  const channel = kind.open(kind.settings.parse(entry), parts)
  const message = { accountId: 'acct_a', id: 'req_01JD', leg: 1, connection: 'sms', phone: '+14155550100' }
  const outcome = await channel.send({ ...message, content, attempt: 1, expiresAt: null })
  await channel.close?.()
  return JSON.stringify(outcome)
}

it.each([
  ['Your code is 0M53RF', 'blocked:0M53RF', '0M53RF'],
  ['482913 is your code.', 'blocked:482913', '482913'],
  ['Code: 482-913', 'blocked:482913', '482913'],
  ['Ваш код 482913', 'blocked:482913', '482913'],
  ['Code XKQZPA', 'blocked:XKQZPA', 'XKQZPA'],
])('the code in the text "%s" of another system is in no outcome that quotes it', async (words, word, code) => {
  expect(await toldOf(text(words), word)).not.toContain(code)
})

it('a word of the provider that is nothing of the text is shown', async () => {
  expect(await toldOf(text('Your code is 0M53RF'), 'NO_ROUTE')).toContain('NO_ROUTE')
})

it('a name and a password that the provider quotes as it got them are in no outcome', async () => {
  const file = acme.replace(
    'headers: { Authorization: "Bearer {{s.api_key}}" }\n  as',
    'auth: { basic: [acme, "{{s.api_key}}"] }\n  as',
  )
  const quoted = Buffer.from('acme:key-1').toString('base64')
  expect(await toldOf(text('Hello'), `denied:${quoted}`, file)).not.toContain(quoted)
  expect(provider.asked.at(-1)?.headers.authorization).toBe(`Basic ${quoted}`)
})
