/** What templates say for kinds of connections, beside their text. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { groupLimits } from '../../src/admin.ts'
import { slugForm } from '../../src/contract/document.ts'
import { createTemplates, type Templates } from '../../src/domain/template.ts'
import { createCommit } from '../../src/store/commit.ts'
import { connect } from '../../src/store/connect.ts'
import type { Database } from '../../src/store/database.ts'
import { findTemplates } from '../../src/store/template.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { kinds } from '../support/kinds.ts'
import { testRuntime } from '../support/runtime.ts'

const accountId = 'acct_default'
const text = 'Hello {{name}}, order {{order}} is on its way.'

let test: TestDatabase
let database: Database
let templates: Templates
beforeAll(async () => {
  test = await createDatabase()
  database = await connect(test.settings)
  const commit = createCommit(database, groupLimits(database))
  templates = createTemplates({ commit, runtime: testRuntime(), slugForm, kinds })
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const found = (...slugs: string[]) =>
  findTemplates(
    database.reader,
    slugs.map((slug) => ({ accountId, slug })),
  )

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
    { slug: 'plain', channels: {} },
    { slug: 'shipped', channels: { gateway } },
    { slug: 'short' },
    { slug: 'welcome', channels: {} },
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
    '"a": gateway.name: must not be empty',
    '"a": gateway.language: must be a text',
    expect.stringMatching(/^"a": gateway\.parameters\.3: /),
    '"a": gateway: Unrecognized key: "colour"',
    '"a": gateway.parameters: "nick" is no variable of the text',
    '"a": gateway.parameters: "code" is no variable of the text',
    expect.stringMatching(/^"b": "\{\{Name\}\}" is no variable/),
    '"b": a template says nothing for "sandbox"',
    '"b": a template says nothing for "pigeon"',
    '"b": a template says nothing for "toString"',
    expect.stringMatching(/^"c": gateway: /),
    '"d": gateway: it holds U+0000 or an unpaired surrogate',
  ])
  expect(await templates.list(accountId)).toEqual(before)
})
