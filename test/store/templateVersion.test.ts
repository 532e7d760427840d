/** Templates in several languages, and the versions that changes make of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { slugForm, variablesMax } from '../../src/contract/document.ts'
import { createActCommit } from '../../src/domain/access/act.ts'
import { createPurge } from '../../src/domain/keeping/retention.ts'
import { createTemplates, type Templates } from '../../src/domain/templates/template.ts'
import { listAudit } from '../../src/store/access/audit.ts'
import { type Commit, createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { type Acting, acting, testOperator } from '../support/acting.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { kinds } from '../support/kinds.ts'
import { testRuntime } from '../support/runtime.ts'

const accountId = 'acct_default'
const dayMs = 86_400_000

let test: TestDatabase
let database: Database
let commit: Commit
let templates: Acting<Templates>
const runtime = testRuntime()
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
  commit = createCommit(database, commitOptions(database))
  const acts = createActCommit(commit, { runtime })
  const parts = { commit: acts, runtime, slugForm, variablesMax, charactersMax: 4096, kinds }
  templates = acting(createTemplates(parts), testOperator)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const texts = { en: 'Hello {{name}}', de: 'Hallo {{name}}', 'pt-BR': 'Olá {{name}}' }
const many = (slug: string) => ({
  ...{ slug, category: 'marketing' as const, defaultLocale: 'en', text: texts.en },
  locales: { de: { text: texts.de }, pt_br: { text: texts['pt-BR'] } },
})

describe('a template in several languages', () => {
  it('is kept with each of them, its default one and its category', async () => {
    const gateway = { name: 'hallo', language: 'de', parameters: ['name'] }
    const given = many('greeting')
    await templates.apply(accountId, [
      { ...given, locales: { ...given.locales, de: { text: texts.de, channels: { gateway } } } },
    ])
    expect(await templates.find(accountId, 'greeting')).toMatchObject({
      ...{ slug: 'greeting', category: 'marketing', version: 1, defaultLocale: 'en', updatedBy: 'a test' },
      locales: {
        en: { text: texts.en, channels: {} },
        de: { text: texts.de, channels: { gateway } },
        'pt-BR': { text: texts['pt-BR'], channels: {} },
      },
    })
  })

  it('is refused with everything that is wrong in any of them, each at its place', async () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_one, index) => [`de-x-${index}a`, { text: 'x' }]))
    const refused = templates.apply(accountId, [
      {
        ...{ slug: 'a', category: 'news', text: '{{name}} {{order}}' },
        locales: { de: { text: '{{name}}' }, fr: { text: '{{name}} {{order}} {{constructor}}' }, it: 'Ciao' },
      },
      {
        ...{ slug: 'b', defaultLocale: 'de-DE', text: '{{name}}' },
        locales: {
          de_DE: { text: '{{name}}' },
          deutsch_: { text: '' },
          es: { text: '{{name' },
          ES: { text: '{{name}}' },
        },
      },
      { slug: 'c', defaultLocale: 'English', text: 'x', locales: [] },
      { slug: 'd', defaultLocale: 'en', text: 'x', locales: fifty },
      {
        slug: 'e',
        defaultLocale: 'en',
        text: 'x',
        locales: { de: { text: 'x', channels: { gateway: {}, pigeon: {} } } },
      },
      { slug: 'f', defaultLocale: 'en', text: 'x', locales: { de: { text: '\u0301'.repeat(4097) }, fr: {} } },
    ])
    const { message } = await refused.then(
      () => new Error('was applied'),
      (error: Error) => error,
    )
    expect(message.split('; ')).toEqual([
      '"a", category: must be utility or marketing',
      '"a", default_locale: is missing: it says which language the text above is in',
      '"a", locales.de.text: lacks {{order}}, which the default language has',
      '"a", locales.fr.text: has {{constructor}}, which the default language lacks',
      '"a", locales.it: must be a mapping with text',
      '"b", locales.de_DE: is the default language, which has its text already',
      '"b", locales.deutsch_: is no language as BCP 47 writes it, like de or pt-BR',
      '"b", locales.deutsch_.text: it has no text',
      '"b", locales.deutsch_.text: lacks {{name}}, which the default language has',
      expect.stringMatching(/^"b", locales\.es\.text: "\{\{name" is no variable/),
      '"b", locales.es.text: lacks {{name}}, which the default language has',
      '"b", locales.ES: is there twice',
      '"c", default_locale: is no language as BCP 47 writes it, like de or pt-BR',
      '"c", locales: must be a mapping of languages, each with a text',
      '"d", locales: has 51 languages with the default one, and 50 is the most',
      '"e", locales.de.gateway.name: is missing',
      '"e", locales.de.gateway.language: is missing',
      '"e", locales.de.pigeon: is not known: a template has no such field',
      '"f", locales.de.text: its text has more than 4096 characters',
      '"f", locales.fr.text: is missing',
    ])
    await expect(templates.find(accountId, 'a')).rejects.toThrow('There is no template a.')
  })
})

describe('a version', () => {
  const versionOf = async (slug: string) => (await templates.find(accountId, slug)).version
  const kept = async (slug: string) => (await templates.versions(accountId, slug)).map(({ version }) => version)

  it('is made by each change, and by none that changes nothing', async () => {
    const given = many('changed')
    for (let times = 0; times < 3; times++) await templates.apply(accountId, [given])
    expect([await versionOf('changed'), await kept('changed')]).toEqual([1, []])
    await templates.change(accountId, { ...given, locales: { de: given.locales.de } })
    await templates.change(accountId, { ...given, category: 'utility', locales: { de: { text: 'Hi {{name}}' } } })
    expect([await versionOf('changed'), await kept('changed')]).toEqual([3, [2, 1]])
    const [second, first] = await templates.versions(accountId, 'changed')
    expect(first).toMatchObject({ category: 'marketing', locales: { 'pt-BR': {} }, updatedBy: 'a test' })
    expect(second).toMatchObject({ category: 'marketing', locales: { de: { text: texts.de } } })
    const acts = await listAudit(database.reader, accountId, { before: undefined, count: 100 })
    const details = acts.filter(({ subject, act }) => subject === 'changed' && act === 'template.changed')
    expect(details.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([{ changed: ['pt-BR'] }, { changed: ['category', 'de'] }]),
    )
  })

  it('is put back as the newest one', async () => {
    await templates.add(accountId, many('back'))
    await templates.change(accountId, { slug: 'back', text: 'Bye' })
    await templates.putBack(accountId, 'back', 1)
    expect(await templates.find(accountId, 'back')).toMatchObject({ version: 3, locales: { de: { text: texts.de } } })
    await expect(templates.putBack(accountId, 'back', 7)).rejects.toThrow('Version 7 of back is not kept.')
  })

  it('has a number that no earlier template of its slug had', async () => {
    await templates.add(accountId, { slug: 'again', text: 'One' })
    await templates.change(accountId, { slug: 'again', text: 'Two' })
    await templates.remove(accountId, 'again')
    await templates.add(accountId, { slug: 'again', text: 'Three' })
    expect([await versionOf('again'), await kept('again')]).toEqual([3, [2, 1]])
  })

  it('is one for each of many who change a template at the same moment', async () => {
    await templates.add(accountId, { slug: 'race', text: 'One' })
    const changes = Array.from({ length: 20 }, (_one, index) =>
      templates.change(accountId, { slug: 'race', text: `By ${index}` }),
    )
    await Promise.all(changes)
    expect([await versionOf('race'), (await kept('race')).length]).toEqual([21, 20])
  })

  it('is kept a hundred times at most', async () => {
    await templates.add(accountId, { slug: 'often', text: 'One' })
    for (let times = 0; times < 105; times++) await templates.change(accountId, { slug: 'often', text: `By ${times}` })
    const versions = await kept('often')
    expect([versions.length, versions[0], versions.at(-1)]).toEqual([100, 105, 6])
  })

  it('is erased when no message that is kept can name it any more', async () => {
    await templates.add(accountId, { slug: 'old', text: 'One' })
    await templates.change(accountId, { slug: 'old', text: 'Two' })
    const purgeAfter = (days: number) => {
      const now = () => new Date(runtime.now().getTime() + days * dayMs)
      return createPurge({ commit, runtime: { ...runtime, now }, retentionDays: 30 })(() => false)
    }
    await purgeAfter(29)
    expect(await kept('old')).toEqual([1])
    expect(await purgeAfter(31)).toMatchObject({ templateVersions: expect.any(Number) })
    expect([await kept('old'), await versionOf('old')]).toEqual([[], 2])
  })
})
