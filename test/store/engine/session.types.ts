/** What must not compile: nothing is written without a transaction, and `commit.ts` alone makes one. */

import type { Commit } from '../../../src/store/engine/commit.ts'
import { type Link, type Reader, read, type Tx, write } from '../../../src/store/engine/session.ts'
import { applyChanges, type Change } from '../../../src/store/sending/change.ts'
import { insertMessages } from '../../../src/store/sending/message.ts'

const question = read<{ one: number }>('select 1 as one')
const erasure = write('delete from message')

export async function notWithoutTx(reader: Reader, link: Link, tx: Tx, changes: Change[]): Promise<void> {
  await reader.run(question, [])
  await tx.run(question, [])
  await tx.run(erasure, [])

  // @ts-expect-error a reader runs nothing that writes
  await reader.run(erasure, [])
  // @ts-expect-error a reader is no transaction
  insertMessages(reader, [])
  // @ts-expect-error an open connection is no transaction that somebody will commit
  insertMessages(link, [])
  // @ts-expect-error nor for changes
  await applyChanges(link, changes)
  // @ts-expect-error nor is whatever looks like one
  insertMessages({ run: link.run, atCommit: link.atCommit, runLast: link.runLast }, [])
  // @ts-expect-error what is sent with the commit, writes
  tx.atCommit(question, [])
}

export function outside({ reader }: Commit): Promise<unknown> {
  // @ts-expect-error what may be asked outside of a transaction, is asked only
  return reader.run(erasure, [])
}
