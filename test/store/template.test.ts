/** What templates say for kinds of connections, beside their text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitOptions } from '../../src/app/admin.ts'
import { slugForm, variablesMax } from '../../src/contract/document.ts'
import { createActCommit } from '../../src/domain/access/act.ts'
import type { Role } from '../../src/domain/access/actor.ts'
import { createTemplates, type Templates } from '../../src/domain/templates/template.ts'
import { listAudit } from '../../src/store/access/audit.ts'
import { createCommit } from '../../src/store/engine/commit.ts'
import { connect } from '../../src/store/engine/connect.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { findTemplates } from '../../src/store/template.ts'
import { type Acting, acting, testOperator } from '../support/acting.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { kinds } from '../support/kinds.ts'
import { addPerson, person } from '../support/person.ts'
import { testRuntime } from '../support/runtime.ts'

const accountId = 'acct_default'
const text = 'Hello {{name}}, order {{order}} is on its way.'

let test: TestDatabase
let database: Database
let templatesOfAll: Templates
let templates: Acting<Templates>
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
  const commit = createCommit(database, commitOptions(database))
  const runtime = testRuntime()
  const acts = createActCommit(commit, { runtime })
  templatesOfAll = createTemplates({ commit: acts, runtime, slugForm, variablesMax, charactersMax: 4096, kinds })
  templates = acting(templatesOfAll, testOperator)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const found = async (...slugs: string[]) => {
  const rows = await findTemplates(
    database.reader,
    slugs.map((slug) => ({ accountId, slug })),
  )
  return rows.map((row) => row?.locales.und)
}

it('are kept as the kind takes them, and replaced with the text', async () => {
  const gateway = { name: 'shipped', language: 'de', parameters: ['order', 'name'] }
  await templates.apply(accountId, [
    { slug: 'shipped', text, channels: { gateway } },
    { slug: 'short', text: 'Hello', channels: { gateway: { name: 'short', language: 'de' } } },
    { slug: 'plain', text },
  ])
  expect(await found('plain', 'nothing', 'shipped', 'short')).toEqual([
    { text, channels: {} },
    undefined,
    { text, channels: { gateway } },
    { text: 'Hello', channels: { gateway: { name: 'short', language: 'de', parameters: [] } } },
  ])
  expect(await templates.list(accountId)).toMatchObject([
    { slug: 'plain', locales: { und: { channels: {} } } },
    { slug: 'shipped', locales: { und: { channels: { gateway } } } },
    { slug: 'short' },
    { slug: 'welcome', version: 1, category: 'utility', locales: { und: { channels: {} } } },
  ])
  await templates.apply(accountId, [{ slug: 'shipped', text: 'Hello' }])
  expect(await found('shipped')).toEqual([{ text: 'Hello', channels: {} }])
})

it('are refused with everything that is wrong at once, and then nothing changes', async () => {
  const before = await templates.list(accountId)
  const refused = templates.apply(accountId, [
    { slug: 'fine', text, channels: {} },
    { slug: 'a', text, channels: { gateway: { name: '', colour: 1, parameters: ['name', 'nick', 'code', 5] } } },
    { slug: 'b', text: '{{Name}}', channels: { sandbox: {}, pigeon: {}, toString: {} } },
    { slug: 'c', text, channels: { gateway: 'shipped' } },
    { slug: 'd', text, channels: { gateway: { name: 'a\0', language: 'de' } } },
  ])
  const { message } = await refused.then(
    () => new Error('was applied'),
    (error: Error) => error,
  )
  expect(message.split('; ')).toEqual([
    '"a", gateway.name: must not be empty',
    '"a", gateway.language: is missing',
    '"a", gateway.parameters, entry 4: must be a text',
    '"a", gateway.colour: is not known',
    '"a", gateway.parameters: "nick" is no variable of the text',
    '"a", gateway.parameters: "code" is no variable of the text',
    expect.stringMatching(/^"b": "\{\{Name\}\}" is no variable/),
    '"b", sandbox: is not known: a template has no such field',
    '"b", pigeon: is not known: a template has no such field',
    '"b", toString: is not known: a template has no such field',
    '"c", gateway: must be a mapping',
    '"d", gateway: it holds U+0000 or an unpaired surrogate',
  ])
  expect(await templates.list(accountId)).toEqual(before)
})

it('are refused without a text, and with one that is too long in characters', async () => {
  const tooLong = '\u{1f600}'.repeat(4097)
  const refused = templates.apply(accountId, [
    { slug: 'a', text: ' \n' },
    { slug: 'b', text: tooLong },
  ])
  await expect(refused).rejects.toThrow('"a": it has no text; "b": its text has more than 4096 characters')
  await templates.apply(accountId, [{ slug: 'fits', text: tooLong.slice(2) }])
})

describe('one', () => {
  const greeting = { slug: 'greeting', text: 'Hello {{name}}' }

  it('is added once, changed while it is there, and deleted once', async () => {
    await templates.add(accountId, greeting)
    await expect(templates.add(accountId, greeting)).rejects.toThrow('There is a template greeting already.')
    await templates.change(accountId, { ...greeting, text: 'Hi {{name}}' })
    expect(await templates.find(accountId, 'greeting')).toMatchObject({ locales: { und: { text: 'Hi {{name}}' } } })
    await templates.remove(accountId, 'greeting')
    const gone = 'There is no template greeting.'
    await expect(templates.change(accountId, greeting)).rejects.toThrow(gone)
    await expect(templates.remove(accountId, 'greeting')).rejects.toThrow(gone)
    await expect(templates.find(accountId, 'greeting')).rejects.toThrow(gone)
  })

  it('is added by one of two who add it at the same moment', async () => {
    const tried = await Promise.allSettled([1, 2, 3].map(() => templates.add(accountId, { ...greeting, slug: 'race' })))
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('what is done with them', () => {
  it('is written down, but for what changes nothing', async () => {
    const noted = { slug: 'noted', text, channels: { gateway: { name: 'n', language: 'de' } } }
    await templates.apply(accountId, [noted])
    await templates.apply(accountId, [noted])
    await templates.apply(accountId, [{ slug: 'noted', text: 'Hello' }])
    await templates.remove(accountId, 'noted')
    const rows = await listAudit(database.reader, accountId, { before: undefined, count: 100 })
    // Of one moment, they are in any order.
    const own = rows.filter(({ subject }) => subject === 'noted').sort((a, b) => a.act.localeCompare(b.act))
    expect(own.map(({ act, name, detail }) => ({ act, name, detail }))).toEqual([
      { act: 'template.added', name: 'a test', detail: {} },
      { act: 'template.changed', name: 'a test', detail: { changed: ['text', 'gateway'] } },
      { act: 'template.deleted', name: 'a test', detail: {} },
    ])
  })

  it('needs the role developer', async () => {
    const viewer = as({ role: 'viewer' })
    const refused = 'This needs the role developer.'
    await expect(viewer.apply(accountId, [])).rejects.toThrow(refused)
    await expect(viewer.add(accountId, greetingOf('v'))).rejects.toThrow(refused)
    await expect(viewer.change(accountId, greetingOf('welcome'))).rejects.toThrow(refused)
    await expect(viewer.remove(accountId, 'welcome')).rejects.toThrow(refused)
    expect((await viewer.list(accountId)).map(({ slug }) => slug)).toContain('welcome')
    await addPerson(test, person('developer'))
    await as({ role: 'developer' }).add(accountId, greetingOf('by-a-developer'))
  })

  it('is nothing for somebody of another account, to whom there are none', async () => {
    const other = as({ role: 'owner', accountId: 'acct_other' })
    expect(await other.list(accountId)).toEqual([])
    await expect(other.find(accountId, 'welcome')).rejects.toThrow('There is no template welcome.')
    await expect(other.remove(accountId, 'welcome')).rejects.toThrow('There is no template welcome.')
    await expect(other.apply(accountId, [greetingOf('theirs')])).rejects.toThrow('This needs the role developer.')
  })
})

const greetingOf = (slug: string) => ({ slug, text: 'Hello' })

function as({ role, accountId: own = accountId }: { role: Role; accountId?: string }): Acting<Templates> {
  return acting(templatesOfAll, person(role, own))
}
