/** What an operator does with inlets. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonOf, type Result, refusalOf, run } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'watchword-inlets-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

const secret = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const cli = (...args: string[]): Promise<Result> => {
  const settings = { DATABASE_URL: database.settings.url, PUBLIC_URL: 'https://otp.acme.com', HOOK_SECRET: secret }
  return run({ ...settings, WATCHWORD_SECRET: 'a-secret-of-32-characters-or-more' }, ['inlets', ...args])
}

async function given(command: string, text: string, ...options: string[]): Promise<{ result: Result; file: string }> {
  const file = join(folder, `${crypto.randomUUID()}.yaml`)
  await writeFile(file, text)
  return { result: await cli(command, file, ...options), file }
}

const list = `
- id: supabase-prod
  kind: supabase
  mode: live
  secret: ["\${HOOK_SECRET}"]
  brand_name: Acme
  autofill: { domain: acme.com }
- id: own
  kind: plain
  mode: test
  secret: the-secret-of-this-inlet
  settings: { phone: to }
`

it('inlets are applied from a file, listed with their addresses, and with their secrets in JSON', async () => {
  expect((await given('check', list)).result).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Inlets: 2.'),
  })
  const { result } = await given('apply', list)
  expect(result.stdout).toContain('Applied: own, supabase-prod. New or changed: supabase-prod, own. Removed: none.')
  const shown = (await cli('list')).stdout
  expect(shown).toMatch(
    /supabase-prod +supabase +live +https:\/\/otp\.acme\.com\/inlets\/acct_default\/supabase-prod +no post yet/,
  )
  expect(shown).not.toContain('whsec_')
  expect(jsonOf(await cli('list', '--json'))).toEqual([
    {
      ...{ id: 'own', kind: 'plain', mode: 'test', url: 'https://otp.acme.com/inlets/acct_default/own' },
      ...{ secret: ['the-secret-of-this-inlet'], posts: [] },
    },
    {
      ...{ id: 'supabase-prod', kind: 'supabase', mode: 'live', secret: [secret], posts: [] },
      url: 'https://otp.acme.com/inlets/acct_default/supabase-prod',
    },
  ])
  expect((await given('apply', list)).result.stdout).toContain('New or changed: none. Removed: none.')
  expect((await given('apply', '[]')).result.stdout).toContain('Removed: own, supabase-prod.')
})

it('everything that is wrong is named at once, with its line and without a secret', async () => {
  const { result, file } = await given(
    'apply',
    `
- id: Supabase
  kind: supabase
  mode: prod
  secret: whsec_c2VjcmV0
- id: two
  kind: nothing
  mode: live
  secret: "\${NOT_SET}"
- id: two
  kind: plain
  mode: live
  secret: [short, the-secret-of-this-inlet]
  brand_name: "https://acme.com"
  settings: { phones: to }
  more: true
`,
  )
  const told = refusalOf(result)
  for (const fault of [
    ':2: entry 1, id: must be 1 to 32',
    ':4: entry 1, mode: must be live or test',
    ':7: entry 2, kind: must be one of ',
    ':9: entry 2, secret: NOT_SET',
    ':10: entry 3, id: is there twice',
    ':14: entry 3, brand_name: must be 1 to 30 letters, digits, spaces',
    ':16: entry 3, more: is not known',
  ])
    expect(told).toContain(`${file}${fault}`)
  expect(told).not.toMatch(/c2VjcmV0|short|the-secret/)
  expect(jsonOf(await cli('list', '--json'))).toEqual([])
})

it('what a kind says of secrets and settings is told too', async () => {
  const wrong = `
- { id: one, kind: plain, mode: live, secret: too-short, settings: { phones: to } }
- { id: two, kind: supabase, mode: live, secret: "v1,whsec_YWJj" }
`
  const told = refusalOf((await given('check', wrong)).result)
  expect(told).toContain('entry 1, secret: must have 16 to 500 characters')
  expect(told).toContain('entry 1, settings.phones: is not known to plain')
  expect(told).toContain('entry 2, secret: must hold 24 to 64 bytes')
})

it('a variable that is not set is told once, also in a list of two secrets', async () => {
  for (const written of [`"\${NOT_SET}"`, `["\${NOT_SET}", the-secret-of-this-inlet]`]) {
    const { result, file } = await given('check', `- { id: one, kind: plain, mode: live, secret: ${written} }`)
    expect(refusalOf(result)).toMatch(
      new RegExp(`^${file}:1: entry 1, secret(, entry 1)?: NOT_SET is not set in the environment$`),
    )
  }
  const twice = `
- { id: "\${NOT_SET}", kind: plain, mode: live, secret: the-secret-of-this-inlet }
- { id: "\${NOT_SET}", kind: plain, mode: live, secret: the-secret-of-this-inlet }
`
  const told = refusalOf((await given('check', twice)).result)
  expect(told.match(/NOT_SET/g)).toHaveLength(2)
  expect(told).not.toContain('is there twice')
})

it('spaces and line ends around a secret are no part of it', async () => {
  const pasted = `- { id: one, kind: plain, mode: live, secret: " the-secret-of-this-inlet\\n" }`
  expect((await given('apply', pasted)).result.exitCode).toBe(0)
  expect(jsonOf(await cli('list', '--json'))).toMatchObject([{ secret: ['the-secret-of-this-inlet'] }])
  const inside = `- { id: one, kind: plain, mode: live, secret: "the-secret-of\\nthis-inlet" }`
  expect(refusalOf((await given('apply', inside)).result)).toContain(
    'entry 1, secret: must be visible ASCII characters',
  )
  await given('apply', '[]')
})
