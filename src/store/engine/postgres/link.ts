/** A connection of PostgreSQL in a transaction: what is sent together, and how it ends. */
import type pg from 'pg'
import { arrayText } from '../arrayText.ts'
import type { Link } from '../session.ts'
import type { PreparingClient } from './pool.ts'

/** How a transaction begins. */
export interface Start {
  begin: string
  /** Milliseconds that each of its statements may take, where that is not what the connection's may. */
  patienceMs?: number | undefined
}

/** The transaction begins with its first statement, in the same write. */
export function openLink(client: PreparingClient, { begin: beginning, patienceMs: patienceOfAll }: Start) {
  let begun: Promise<unknown> | undefined
  let ended = false
  const last: { name: string; text: string; values: readonly unknown[] }[] = []
  const begin = () => {
    if (ended) throw new Error('the transaction is over')
    if (begun) return
    const sent: Promise<unknown> = client.query(beginning)
    begun = sent
    sent.catch(() => {})
  }
  const send = (
    { name, text, patienceMs }: { name: string; text: string; patienceMs?: number | undefined },
    values: readonly unknown[],
  ): Promise<pg.QueryResult> =>
    client.query({ name, text, values: sqlParametersOf(values), query_timeout: patienceMs ?? patienceOfAll })
  const link: Link = {
    run: async (statement, values) => {
      const { rows } = await client.together(() => {
        begin()
        return send(statement, values)
      })
      // A statement whose `begin` failed stood alone: nothing may be built on it.
      await begun
      return rows as never
    },
    atCommit: ({ name, text }, values) => {
      if (ended) throw new Error('the transaction is over')
      last.push({ name, text, values })
    },
    runLast: async ({ name, text }, values) => {
      last.unshift({ name, text, values })
      const [first] = await end()
      return first?.rows as never
    },
  }
  /** @returns the results of what was kept for the commit */
  const end = async (): Promise<pg.QueryResult[]> => {
    const sent = client.together(() => {
      begin()
      return [...last.map(({ values, ...statement }) => send(statement, values)), client.query(commitIn(patienceOfAll))]
    })
    const done = await committed(client, [begun, ...sent])
    ended = true
    return done.slice(1)
  }
  const commit = async () => {
    if (!ended && (begun || last.length > 0)) await end()
  }
  const rollBack = () =>
    Promise.resolve(begun && !ended && client.query('rollback')).then(
      () => true,
      () => false,
    )
  return { link, commit, rollBack }
}

const commitIn = (patienceMs: number | undefined) => ({ text: 'commit', query_timeout: patienceMs })

/** @returns the results of all statements of a transaction that were sent together, when the last has committed it */
async function committed(client: PreparingClient, sent: unknown[]): Promise<pg.QueryResult[]> {
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  const done = (await Promise.all(sent)) as pg.QueryResult[]
  // To the commit of a transaction that has failed PostgreSQL answers that it rolled back, and no error.
  const command = done.at(-1)?.command
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
  client.requireConfirmed()
  return done
}

export function sqlParametersOf(values: readonly unknown[]): unknown[] {
  return values.map((value) => (Array.isArray(value) ? arrayText(value) : value))
}
