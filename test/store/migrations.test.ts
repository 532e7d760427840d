/**
 * Migrations expand, then contract: the code of the version before goes on working on the tables of this one. Of most
 * statements a machine can see that; of others somebody has to say why it is so, or which code they need.
 */
import { describe, expect, it } from 'vitest'
import { listMigrations, type Migration, oldestQueueVersion, queueVersion } from '../../src/store/engine/migrate.ts'

/** Up to this one there was no version before. */
const lastOfTheFirst = '0007_phone_by_account'

const type = String.raw`(?!"?\w*serial)"?\w+"?(?: \(\d+\))?(?: with(?:out)? time zone)?(?:\[\])?`
const constant = String.raw`(?:'(?:[^']|'')*'(?:::\w+(?:\[\])?)?|-?\d+(?:\.\d+)?|true|false|now\(\))`
/** Not for a moment is anything taken from the code that is there, and no row is written again. */
const addsColumn = new RegExp(`^ALTER TABLE "\\w+" ADD COLUMN "\\w+" ${type}(?: DEFAULT ${constant}(?: NOT NULL)?)?$`)
const makesTable = /^CREATE TABLE "(\w+)" ?\(/
const isAbout = /^(?:CREATE (?:UNIQUE )?INDEX "\w+" ON|ALTER TABLE|INSERT INTO) "(\w+)"/
const said = /^-- old code (works|works throughout|needs (\w+)): \S/m

/** What is not known to be fit for the code of the version before, and of what nobody says so. */
function findFaults(migration: Migration, before: readonly Migration[]): string[] {
  const existed = new Set(before.flatMap(({ text }) => splitStatements(text).flatMap(({ made }) => made ?? [])))
  const own = new Set<string>()
  const faults: string[] = []
  const isThroughout = /^-- old code works throughout: \S/m.test(migration.text)
  for (const { sql, comments, isOne, made } of splitStatements(migration.text)) {
    const [, , needed] = said.exec(comments) ?? []
    if (needed !== undefined && !before.some(({ tag }) => tag === needed))
      faults.push(`${needed} is no earlier migration`)
    if (said.test(comments) || isThroughout) continue
    if (made !== undefined && !existed.has(made)) own.add(made)
    const about = made ?? isAbout.exec(sql)?.[1]
    if (sql === '' || (isOne && ((about !== undefined && own.has(about)) || addsColumn.test(sql)))) continue
    faults.push(`say why old code works, or what it needs: ${sql}`)
  }
  return faults
}

function splitStatements(text: string) {
  return text.split('--> statement-breakpoint').map((part) => {
    const comments = part.match(/^\s*--.*$/gm)?.map((line) => line.trim()) ?? []
    const sql = part
      .replaceAll(/^\s*--.*$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replace(/;$/, '')
    const isOne = !sql.replaceAll(/'(?:[^']|'')*'/g, '').includes(';')
    return { sql, comments: comments.join('\n'), isOne, made: makesTable.exec(sql)?.[1] }
  })
}

it('each migration leaves the code of the version before what it needs, or says which code it needs', () => {
  const all = listMigrations()
  const first = all.findIndex(({ tag }) => tag === lastOfTheFirst) + 1
  expect(first).toBeGreaterThan(0)
  const faults = all.slice(first).flatMap((migration, index) => {
    return findFaults(migration, all.slice(0, first + index)).map((fault) => `${migration.tag}: ${fault}`)
  })
  expect(faults).toEqual([])
})

it('each migration is younger than the one before, or some databases would leave it out', () => {
  const times = listMigrations().map(({ when }) => when)
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
})

it('somebody has decided which code works on the tables of this pg-boss', () => {
  // Another version of its tables: run `npm run test:faults -- upgrade`, then change `oldestQueueVersion`, and this.
  expect({ queueVersion, oldestQueueVersion }).toEqual({ queueVersion: 43, oldestQueueVersion: 40 })
})

describe('a migration', () => {
  const start = { tag: '0000_start', when: 1, text: 'CREATE TABLE "message" (\n\t"id" text\n);' }
  const faults = (text: string) => findFaults({ tag: '0001_next', when: 2, text }, [start])

  it.each([
    'CREATE TABLE "note" (\n\t"id" text NOT NULL\n);\n--> statement-breakpoint\nCREATE INDEX "note_id" ON "note" USING btree ("id");',
    'CREATE TABLE "note" (\n\t"id" text\n);--> statement-breakpoint\nALTER TABLE "note" ADD CONSTRAINT "a" UNIQUE("id");',
    'ALTER TABLE "message" ADD COLUMN "name" text;',
    'ALTER TABLE "message" ADD COLUMN "names" text[] DEFAULT \'{"a"}\' NOT NULL;',
    'ALTER TABLE "message" ADD COLUMN "at" timestamp (3) with time zone DEFAULT now() NOT NULL;',
    'ALTER TABLE "message" ADD COLUMN "more" jsonb DEFAULT \'{}\'::jsonb NOT NULL;',
    '-- Custom SQL migration file, put your code below! --',
    '-- old code works: nobody reads it\nALTER TABLE "message" DROP COLUMN "name";',
    '-- old code needs 0000_start: nobody reads it from there on\nALTER TABLE "message" DROP COLUMN "name";',
    '-- old code works throughout: by its old name\nALTER TABLE "message" RENAME TO "a";--> statement-breakpoint\nDROP TABLE "b";',
  ])('may say: %s', (text) => {
    expect(faults(text)).toEqual([])
  })

  it.each([
    'DROP TABLE "message";',
    'DROP INDEX "message_at";',
    'ALTER TABLE "message" RENAME TO "other";',
    'ALTER TABLE "message" RENAME COLUMN "a" TO "b";',
    'ALTER TABLE "message" DROP COLUMN "a";',
    'ALTER TABLE "message" ALTER COLUMN "a" SET DATA TYPE integer;',
    'ALTER TABLE "message" ALTER COLUMN "a" SET NOT NULL;',
    'ALTER TABLE "message" ADD COLUMN "a" text NOT NULL;',
    'ALTER TABLE "message" ADD COLUMN "a" text UNIQUE;',
    'ALTER TABLE "message" ADD COLUMN "a" bigserial;',
    'ALTER TABLE "message" ADD COLUMN "a" uuid DEFAULT gen_random_uuid() NOT NULL;',
    'ALTER TABLE "message" ADD CONSTRAINT "a" UNIQUE("id");',
    'CREATE INDEX "a" ON "message" USING btree ("id");',
    'CREATE TABLE "message" (\n\t"id" text\n);--> statement-breakpoint\nCREATE INDEX "a" ON "message" ("id");',
    'UPDATE "message" SET "a" = 1;',
    'INSERT INTO "message" VALUES (1);',
    'alter table message drop column a;',
    'CREATE TABLE "note" (\n\t"id" text\n); DROP TABLE "message";',
    'DO $$ BEGIN DROP TABLE message; END $$;',
    'CREATE TABLE "a" PARTITION OF "message" DEFAULT;',
    '-- old code works:\nDROP TABLE "message";',
    '-- old code works\nDROP TABLE "message";',
    '-- old code works: nobody reads it\nDROP INDEX "a";--> statement-breakpoint\nDROP TABLE "message";',
    '-- old code needs 0009_other: nobody reads it from there on\nDROP TABLE "message";',
    '-- old code needs 0001_next: it must be stopped\nDROP TABLE "message";',
  ])('may not say without a reason: %s', (text) => {
    expect(faults(text)).not.toEqual([])
  })
})
