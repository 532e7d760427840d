/** `examples/supabase-hook/`: the hook of Supabase Auth, posted to the service. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyInlet, compile, openStage, type Stage, start } from './stage.ts'

const secret = `v1,whsec_${randomBytes(32).toString('base64')}`
const newer = `v1,whsec_${randomBytes(32).toString('base64')}`

let stage: Stage
let url: string
beforeAll(async () => {
  stage = await openStage()
  url = await applyInlet(stage, 'supabase-hook', { SUPABASE_HOOK_SECRET: secret })
})
afterAll(() => stage?.close())

it('the example of the hook of Supabase compiles under strict settings', async () => {
  expect(await compile('supabase-hook')).toBe('')
})

describe('the hook of the example', () => {
  it('brings the code to the phone, signed with one secret or with two', async () => {
    expect(await hook(['+14155552671', '048213'])).toEqual([0, '{ status: 200 }'])
    expect(await stage.code('+14155552671')).toBe('048213')
    expect(await hook(['+14155552672', '048214'], `${newer}|${secret}`)).toEqual([0, '{ status: 200 }'])
    expect(await stage.code('+14155552672')).toBe('048214')
  })

  it('is confirmed by its phone, once', async () => {
    expect(await hook(['+14155552676', '048213'])).toEqual([0, '{ status: 200 }'])
    expect([await stage.confirm('+14155552676'), await stage.confirm('+14155552676')]).toEqual([true, false])
  })

  it('makes up a code when none is given, as Supabase does', async () => {
    expect(await hook(['+14155552673'])).toEqual([0, '{ status: 200 }'])
    expect(await stage.code('+14155552673')).toMatch(/^\d{6}$/)
  })

  it('is not believed with another secret', async () => {
    expect(await hook(['+14155552674', '048213'], newer)).toEqual([
      1,
      "{ status: 500, message: 'The hook answered 401' }",
    ])
  })

  it('hears why too many codes are refused, but a repeat is none', async () => {
    const once = ['+14155552675', '048213', 'user-1']
    for (let times = 0; times < 6; times += 1) expect(await hook(once)).toEqual([0, '{ status: 200 }'])
    for (let times = 0; times < 4; times += 1) expect(await hook(['+14155552675'])).toEqual([0, '{ status: 200 }'])
    const [exitCode, told] = await hook(['+14155552675'])
    expect([exitCode, told.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      "{ status: 429, message: 'Too many codes were sent to this phone number. Please try again later.' }",
    ])
  })
})

async function hook(words: string[], own = secret): Promise<[number | null, string]> {
  const started = start('supabase-hook', ['node', 'hook.ts', ...words], { HOOK_URL: url, SUPABASE_HOOK_SECRET: own })
  await started.ended
  return [started.child.exitCode, started.output().trim()]
}
