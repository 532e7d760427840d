/** The guide to a provider file shows one that is good, and so is the file that a new one begins with. */
import { expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { skeletonOf } from '../../../../src/delivery/channels/sms/skeleton.ts'
import { pageOf } from '../../../support/docs.ts'

it('shows a provider file that is good, and whose examples give what they say', () => {
  const [, text = ''] = /```yaml\n(provider: [\s\S]*?)```/.exec(pageOf('docs/sms.md')) ?? []
  expect(checkProviderFile(text)).toMatchObject({ file: { provider: 'acme', examples: { length: 3 } } })
})

it('begins with a file that is good as it stands', () => {
  expect(checkProviderFile(skeletonOf('mine'))).toMatchObject({ file: { provider: 'mine' } })
})
