/** What a list of steps promises to the drafts that share a transaction. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { commitOptions } from '../../../src/app/admin.ts'
import { type Commit, createCommit } from '../../../src/store/engine/commit.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { write } from '../../../src/store/engine/session.ts'
import { isAnyOpen, runSteps, type Step } from '../../../src/store/engine/step.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let opened: Database
let commit: Commit
beforeAll(async () => {
  database = await createDatabase()
  opened = await connect(database.settings)
  commit = createCommit(opened, commitOptions(opened))
  await database.sql`create table note (text text not null)`
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})
beforeEach(() => database.sql`delete from note`)

const insert = write('insert into note values ($1)')
const notes = async () => (await database.sql<{ text: string }[]>`select text from note`).map(({ text }) => text)

type TextStep = Step<string, string>

/** Writes the drafts that are open, and decides those that it is for. @param seen what is committed once it has sent its statement */
function buildStep(name: string, isFor: (draft: string) => boolean, seen?: (list: string[]) => void): TextStep {
  return {
    isNeeded: isAnyOpen,
    run: async (tx, group) => {
      const open = group.open()
      await tx.runLast(insert, [`${name}: ${open.join(' ')}`])
      seen?.(await notes())
      for (const draft of open) if (isFor(draft)) group.decide(draft, `${draft} by ${name}`)
    },
  }
}

const run = (drafts: string[], steps: TextStep[]) => commit.transaction((tx) => runSteps(tx, drafts, steps))

it('a step works on what no earlier step has decided, and each draft gets its own outcome', async () => {
  const steps = [buildStep('first', (one) => one === 'b'), buildStep('second', () => true)]
  expect(await run(['a', 'b', 'c'], steps)).toEqual(['a by second', 'b by first', 'c by second'])
  expect(await notes()).toEqual(['first: a b c', 'second: a c'])
})

it('a step that has nothing to do is left out', async () => {
  const steps = [buildStep('first', () => true), buildStep('second', () => true)]
  expect(await run(['a'], steps)).toEqual(['a by first'])
  expect(await notes()).toEqual(['first: a'])
})

it('the last statement of the last step that is needed goes with the commit, and no earlier one', async () => {
  const seen: string[][] = []
  const keep: TextStep = {
    isNeeded: ({ drafts }) => drafts.includes('keyed'),
    run: (tx, group) => tx.atCommit(insert, [`kept: ${group.outcomeOf('keyed')}`]),
  }
  const steps = [
    buildStep(
      'make',
      () => true,
      (list) => seen.push(list),
    ),
    keep,
  ]
  await run(['plain'], steps)
  await run(['keyed'], steps)
  expect(seen).toEqual([['make: plain'], ['make: plain']])
  expect(await notes()).toEqual(['make: plain', 'make: keyed', 'kept: keyed by make'])
})

it('nothing is committed where a later step fails', async () => {
  const failing: TextStep = {
    isNeeded: () => true,
    run: () => Promise.reject(new Error('later')),
  }
  await expect(run(['a'], [buildStep('first', () => true), failing])).rejects.toThrow('later')
  expect(await notes()).toEqual([])
})

it('nothing is committed where the steps leave a draft undecided', async () => {
  await expect(run(['a', 'b'], [buildStep('first', (one) => one === 'a')])).rejects.toThrow('not all drafts of a group')
})
