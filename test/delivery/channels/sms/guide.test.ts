/** The guide to a provider file shows two that are good, and so is the file that a new one begins with. */
import { expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { buildSkeleton } from '../../../../src/delivery/channels/sms/skeleton.ts'
import { createSmsKind } from '../../../../src/delivery/channels/sms/sms.ts'
import { pageOf } from '../../../support/docs.ts'
import { localGuard } from '../../../support/guard.ts'
import { startProvider } from '../../../support/provider.ts'
import { testRuntime } from '../../../support/runtime.ts'

const [acme = '', pigeon = ''] = Array.from(
  pageOf('docs/sms.md').matchAll(/```yaml\n(provider: [\s\S]*?)```/g),
  ([, text = '']) => text,
)

it('shows provider files that are good, and whose examples give what they say', () => {
  expect(checkProviderFile(acme)).toMatchObject({ file: { provider: 'acme', examples: { length: 3 } } })
  expect(checkProviderFile(pigeon)).toMatchObject({ file: { provider: 'pigeon', examples: { length: 3 } } })
})

it('shows a file that works for a gateway that answers in text and reports by GET', async () => {
  const gateway = await startProvider({ status: 200, body: 'OK 40385f64\n' })
  const runtime = testRuntime()
  const kind = createSmsKind({ guard: localGuard })
  const entry = {
    provider: './pigeon.yaml',
    provider_file: pigeon,
    user: 'acme',
    password: 'word',
    base_url: gateway.url,
  }
  const parts = {
    accountId: 'acct_default',
    connection: 'pigeon',
    publicUrl: 'https://codes.example',
    reportToken: 'token',
  }
  const channel = kind.open(kind.settings.parse(entry), { ...parts, runtime, log: runtime.log })
  const content = { kind: 'verification', code: '482913', brandName: 'Acme' } as const
  const message = { accountId: 'acct_default', id: 'req_01JD', leg: 1, connection: 'pigeon', phone: '+14155550100' }
  expect(await channel.send({ ...message, content, attempt: 1, expiresAt: null })).toMatchObject({ kind: 'sent' })
  const asked = new URL(gateway.asked[0]?.path ?? '', gateway.url).searchParams
  // As the gateway fills it in.
  const report = new URL((asked.get('report') ?? '').replace('%s', 'DELIVRD').replace('%i', '40385f64'))
  const target = report.pathname + report.search
  expect(channel.verify({ method: 'GET', target, headers: {}, body: Buffer.alloc(0) })).toBe(true)
  expect([...channel.parse(Buffer.alloc(0), target)]).toMatchObject([
    { status: 'delivered', orMessage: { accountId: 'acct_default', id: 'req_01JD' } },
  ])
  await channel.close?.()
  await gateway.close()
})

it('begins with a file that is good as it stands', () => {
  expect(checkProviderFile(buildSkeleton('mine'))).toMatchObject({ file: { provider: 'mine' } })
})
