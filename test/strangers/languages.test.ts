/** Languages, and phones that rules do not look at, as people write them into files and forms. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
let owner: Awaited<ReturnType<Site['owner']>>
beforeAll(async () => {
  site = await openSite()
  owner = await site.owner()
})
afterAll(() => site?.close())

const languages: readonly [written: string, tag: string][] = [
  ['pt-br', 'pt-BR'],
  ['pt_BR', 'pt-BR'],
  ['PT_br', 'pt-BR'],
  ['en-US.UTF-8', 'en-US'],
  ['de_DE.utf8', 'de-DE'],
  ['de_AT@euro', 'de-AT'],
  ['zh_Hans_CN', 'zh-Hans-CN'],
  ['zh_hant', 'zh-Hant'],
  ['iw', 'he'],
  [' fr ', 'fr'],
  ['fr\u200e', 'fr'],
  ['ｅｓ', 'es'],
]
const noLanguages = ['German', 'de, fr', 'en or de', '', 'C', '中文', 'de-DE-']

const applyInlets = (locales: readonly string[]) => {
  const inlet = { kind: 'plain', mode: 'test', secret: 'the-secret-of-this-inlet' }
  const list = locales.map((locale, index) => ({ ...inlet, id: `own-${index}`, locale }))
  return site.apply(['inlets', 'apply'], 'inlets.yaml', JSON.stringify(list))
}

describe('a language', () => {
  it.each(languages)('as %j is read as %s in the dashboard', async (written, tag) => {
    const { text } = await owner.submit('/wording-defaults', { default: written, domain: '' })
    expect(text).toContain(`name="default" type="text" value="${tag}"`)
    const made = await owner.submit('/wording', { language: written, text: '{{code}} is it.' })
    expect(made.text).toContain(`href="/wording/${tag}"`)
    await owner.submit(`/wording/${tag}/delete`, {})
  })

  it('is read the same way in files and by commands', async () => {
    const own = languages.filter(([, tag], index) => languages.findIndex((other) => other[1] === tag) === index)
    const wording = Object.fromEntries([['default', 'pt_br'], ...own.map(([written]) => [written, '{{code}}'])])
    const applied = await site.apply(['wording', 'apply'], 'wording.yaml', JSON.stringify(wording))
    expect(applied).toMatchObject({ exitCode: 0 })
    const { stdout } = await site.cli('wording', 'list', '--json')
    const kept = JSON.parse(stdout) as { default: string; texts: { language: string }[] }
    expect(kept.default).toBe('pt-BR')
    expect(kept.texts.map(({ language }) => language)).toEqual(expect.arrayContaining(['en-US', 'zh-Hans-CN', 'he']))
    expect((await site.cli('wording', 'show', 'zh_hans_CN.UTF-8')).stdout).toBe('482913\n')
    expect(await applyInlets(languages.map(([written]) => written))).toMatchObject({ exitCode: 0 })
  })

  it('is none of these, in files and by commands', async () => {
    const wording = Object.fromEntries(noLanguages.map((tag) => [tag, '{{code}}']))
    const { stderr } = await site.apply(['wording', 'apply'], 'wording.yaml', JSON.stringify(wording))
    expect(stderr.match(/is no language/g)).toHaveLength(noLanguages.length)
    const inlets = await applyInlets(noLanguages)
    expect(inlets.stderr.match(/locale: must be a language/g)).toHaveLength(noLanguages.length)
    expect((await site.cli('wording', 'show', 'pt BR')).stderr).toContain('This is no language')
  })

  it('is there twice under two of its names', async () => {
    const wording = JSON.stringify({ pt_BR: '{{code}}', 'pt-br': '{{code}}' })
    const { stderr } = await site.apply(['wording', 'apply'], 'wording.yaml', wording)
    expect(stderr).toContain('pt-br: is there twice')
  })
})

describe('a phone that a rule does not look at', () => {
  const apply = (phones: readonly string[]) => {
    const rule = { id: 'own', by: 'country', allow: ['GB'], do: 'record', except: { phones } }
    return site.apply(['protection', 'apply'], 'rules.yaml', JSON.stringify([rule]))
  }

  it('is read as people write it, and kept in one form', async () => {
    const written = ['+49 (30) 123-45', '+49 (0)30 12345', '0049 30 12345', 'tel:30-12345;phone-context=49']
    const odd = ['\u202a+49 30 12345\u202c', '+٤٩ ٣٠ ١٢٣٤٥']
    const beginnings = ['+49 30*', '+49 (0)30 *', '0049-30-*', '+1 (415) *']
    expect(await apply([...written, ...odd, ...beginnings])).toMatchObject({ exitCode: 0 })
    const { stdout } = await site.cli('protection', 'show', '--json')
    const kept = stdout.match(/"\+[\d*]+"/g)?.map((phone) => phone.slice(1, -1))
    expect(kept).toEqual([...Array(6).fill('+493012345'), '+4930*', '+4930*', '+4930*', '+1415*'])
  })

  it('is none of these, and why is said of each', async () => {
    const rows: [string, string][] = [
      ['030 12345', 'it does not begin with +'],
      ['030*', 'it does not begin with +'],
      ['+49 30 12345, +49 30 12346', 'it holds two numbers'],
      ['+49 30 12345 ext. 5', 'it has an extension'],
      ['+49*30', 'it has "*"'],
      ['*', 'must be a number like'],
      ['+BERLIN*', 'must be a number like'],
    ]
    const { exitCode, stderr } = await apply(rows.map(([written]) => written))
    expect(exitCode).toBe(1)
    for (const [, words] of rows) expect(stderr).toContain(words)
    expect(stderr.match(/must be a number like/g)).toHaveLength(rows.length)
  })
})
