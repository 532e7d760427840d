/** What `channels check` finds of a connection to a provider of SMS, beside what the provider says. */
import { describe, expect, it } from 'vitest'
import { createSmsKind } from '../../../../src/delivery/channels/sms/sms.ts'
import { localGuard } from '../../../support/guard.ts'
import { startProvider } from '../../../support/provider.ts'
import { testRuntime } from '../../../support/runtime.ts'
import { acme } from './acme.ts'

const runtime = testRuntime()
const kind = createSmsKind({ guard: localGuard })
const signed = acme
  .replace('  from: {', '  webhook_key: { optional: true, secret: true }\n  from: {')
  .replace('scheme: url-token', 'scheme: hmac, header: x-signature, key: "{{s.webhook_key}}"')
  .replace(/probe:[\s\S]*?balance: .*\n/, '')

async function findingsOf(changes: object) {
  const entry = { provider: './acme.yaml', provider_file: signed, api_key: 'word', from: 'Acme', ...changes }
  const parts = {
    accountId: 'acct_default',
    connection: 'sms',
    publicUrl: 'https://codes.example',
    reportToken: 'token',
  }
  const channel = kind.open(kind.settings.parse(entry), { ...parts, runtime, log: runtime.log })
  const findings = await channel.check?.([])
  await channel.close?.()
  return findings?.map(({ level, text }) => `${level}: ${text}`)
}

it('the check names a key of reports that is not set: without it, every report is refused', async () => {
  const missing = 'bad: webhook_key is not set: it signs the reports, and all of them are refused without it'
  expect(await findingsOf({})).toContain(missing)
  expect(await findingsOf({ reports: 'none' })).not.toContain(missing)
  const set = await findingsOf({ webhook_key: 'a key' })
  expect(set?.filter((finding) => !finding.startsWith('good'))).toEqual([])
})

it('the check warns of an answer with status 200 that has no balance where the file looks for one', async () => {
  const gateway = await startProvider({ status: 200 })
  const saidOf = async (body: string) => {
    gateway.behave({ status: 200, body })
    const [said] = (await findingsOf({ provider_file: acme, base_url: gateway.url })) ?? []
    return said
  }
  const warning =
    'warning: Acme SMS answers with status 200, but no balance is in the answer: the settings may be wrong'
  for (const body of ['1703|', '', '{}', '{"balance":null}', '{"balance":""}', '{"error":"wrong password"}', '[]'])
    expect(await saidOf(body), body).toBe(warning)
  expect(await saidOf('{"balance":"EUR 12.50"}')).toBe('good: Acme SMS takes the settings; balance 12.5')
  // An account without a limit.
  expect(await saidOf('{"balance":"ND"}')).toBe('good: Acme SMS takes the settings')
  await gateway.close()
})

describe('a phone that its gateway has not heard of', () => {
  const heartbeat = 'heartbeat: { each: /data, only: { /id: "{{s.from}}" }, at: [/seen, /since], within: 3600 }'
  const file = acme.replace('balance: /balance', heartbeat)
  const taken = 'good: Acme SMS takes the settings'
  const unheard = 'warning: Acme SMS has not heard of the phone: see that its app is set up'
  const late = (at: string) =>
    `warning: Acme SMS last heard of the phone at ${at}: see that it is on and online, and that its app runs`
  const ago = (seconds: number) => new Date(runtime.now().getTime() - seconds * 1000).toISOString()
  const other = { id: 'Other', seen: ago(0) }

  it.each<[string, unknown, string[]]>([
    ['is on', [other, { id: 'Acme', seen: ago(3600) }], [taken]],
    ['is off', [other, { id: 'Acme', seen: ago(3601) }], [taken, late(ago(3601))]],
    ['has a clock that is ahead', [{ id: 'Acme', seen: ago(-900) }], [taken]],
    [
      'is there twice',
      [
        { id: 'Acme', seen: ago(9000) },
        { id: 'Acme', since: ago(4000) },
      ],
      [taken, late(ago(4000))],
    ],
    ['is not among those of the account', [other], [taken, unheard]],
    ['was never on', [{ id: 'Acme', seen: null }], [taken, unheard]],
    ['has no list', undefined, [taken, unheard]],
    ['has a list that is none', 'none', [taken, unheard]],
  ])('%s', async (_, data, wanted) => {
    const gateway = await startProvider({ status: 200, body: JSON.stringify({ data }) })
    const said = (await findingsOf({ provider_file: file, base_url: gateway.url, reports: 'none' })) ?? []
    expect(said.filter((one) => one.includes('Acme SMS'))).toEqual(wanted)
    await gateway.close()
  })

  it('is not looked for where the settings are refused', async () => {
    const gateway = await startProvider({ status: 401, body: '{"data":[]}' })
    const said = (await findingsOf({ provider_file: file, base_url: gateway.url })) ?? []
    expect(said.filter((one) => one.includes('phone'))).toEqual([])
    await gateway.close()
  })
})
