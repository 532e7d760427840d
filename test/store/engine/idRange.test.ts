/** Messages are found by lists of ids, whatever else somebody has put into a list, and however the database sorts letters. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newUlid } from '../../../src/kit/runtime.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { findMessages } from '../../../src/store/sending/message.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

// Before PostgreSQL 15, no database sorts as ICU does, and the machine may have no other language.
describe.skipIf(inject('postgresMajor') < 15)('in a database that sorts letters as in English', () => {
  let test: TestDatabase
  let database: Database
  let name: string
  beforeAll(async () => {
    test = await createDatabase()
    const url = new URL(test.settings.url)
    name = `${url.pathname.slice(1)}_english`
    await test.sql.unsafe(`create database ${name} template template0 locale_provider icu icu_locale 'en-US'`)
    url.pathname = `/${name}`
    database = await connect({ ...test.settings, url: url.href })
    await database.migrate()
  })
  afterAll(async () => {
    await database.close()
    await test.sql.unsafe(`drop database ${name}`)
    await test.drop()
  })

  // As bytes, small letters come after capitals; in English, with the capital of their own letter.
  it.each(['req_01a', 'req_', 'zzz', '~', '!', 'REQ_01'])('beside %s, which is the id of no message', async (none) => {
    const id = `req_${newUlid(new Date())}`
    await database.queueDb.executeSql(`insert into message (account_id, id, mode, kind, phone, status, status_at, timeline, created_at)
      values ('acct_default', '${id}', 'live', 'notification', '+14155550100', 'sent', now(), '[]', now())`)
    const keys = [none, id, none].map((one) => ({ accountId: 'acct_default', mode: 'live' as const, id: one }))
    expect((await findMessages(database.reader, keys)).map((found) => found?.id)).toEqual([undefined, id, undefined])
  })
})
