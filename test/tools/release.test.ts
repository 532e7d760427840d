/** `npm run release` makes a version only of what is ready for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

const release = (version: string) => checkout.run(`node scripts/release.ts ${version}`)
let checkout: Checkout
beforeAll(async () => {
  checkout = await copyCheckout()
  const publish = 'mkdir -p contract/published/1.0.0 && cp openapi.yaml twilio-verify.yaml contract/published/1.0.0/'
  const lockfile =
    '{"version": "1.0.0", "packages": {"": {"version": "1.0.0"}, "node_modules/a": {"version": "1.0.0"}}}'
  await checkout.write('package-lock.json', lockfile)
  await checkout.write(
    'CHANGELOG.md',
    '# Changelog\n\n## [Unreleased]\n\n## [1.0.1] - 2026-11-28\n\n## [1.1.0] - 2026-11-28\n',
  )
  expect(await checkout.run(publish)).toEqual({ code: 0, output: '' })
  // A text may be longer, which is minor.
  await checkout.replace('openapi.yaml', 'maxLength: 30', 'maxLength: 31')
  await checkout.run('node scripts/generate.ts')
  await checkout.commit()
})
afterAll(() => checkout?.remove())

describe('a version', () => {
  it.each([
    [
      'that is lower than the contract asks for',
      '1.0.1',
      /has minor changes since 1\.0\.0: they ask for 1\.1\.0 or later/,
    ],
    ['that is published already', '1.0.0', /1\.0\.0 is published: 1\.0\.0 is not newer|has no heading/],
    ['that the changelog does not date', '1.2.0', /CHANGELOG\.md has no heading "## \[1\.2\.0\] - "/],
    ['that is none', '1.2', /"1\.2" is not a version like 1\.2\.0/],
  ])('%s is refused', async (_what, version, told) => {
    const { code, output } = await release(version)
    expect([code, output]).toEqual([1, expect.stringMatching(told)])
    expect(await checkout.run('git status --porcelain')).toEqual({ code: 0, output: '' })
  })

  it('is refused while something is not committed', async () => {
    const text = await checkout.read('README.md')
    await checkout.write('README.md', `${text}\nMore.\n`)
    const { code, output } = await release('1.1.0')
    expect([code, output]).toEqual([1, expect.stringMatching(/^Commit these first:\n.*README\.md/)])
    await checkout.write('README.md', text)
  })

  it('is set in contracts and packages, and its contracts are what later ones are compared with', async () => {
    const { code, output } = await release('1.1.0')
    expect([code, output]).toEqual([0, expect.stringContaining('"Release 1.1.0"')])
    for (const file of ['openapi.yaml', 'twilio-verify.yaml', 'contract/published/1.1.0/twilio-verify.yaml'])
      expect(await checkout.read(file), file).toMatch(/^ {2}version: 1\.1\.0$/m)
    expect(JSON.parse(await checkout.read('package.json'))).toMatchObject({ version: '1.1.0' })
    const lock = JSON.parse(await checkout.read('package-lock.json'))
    const packages = { '': { version: '1.1.0' }, 'node_modules/a': { version: '1.0.0' } }
    expect(lock).toEqual({ version: '1.1.0', packages })
    expect(await checkout.run('node scripts/generate.ts --check && node scripts/diff.ts --enforce')).toMatchObject({
      code: 0,
    })
    await checkout.replace('openapi.yaml', 'maxLength: 31', 'maxLength: 30')
    const refused = await checkout.run('node scripts/diff.ts --enforce')
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('clients of version 1.1.0 rely on') })
  })
})
