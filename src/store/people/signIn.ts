/** Wrong proofs of who somebody is, counted by what `signIn` in the schema says. */

import { type Reader, read, type Tx, write } from '../engine/session.ts'
import { dates, type Rule, remember, rulesOf, within, writeTimes } from '../sending/limit.ts'

const take = write<{ of: string }>(`
  insert into sign_in as s (email_hash, wrong_at, latest_at)
  values ($1, array[$2::text::timestamptz], $2::text::timestamptz)
  on conflict (email_hash) do update set wrong_at = ${remember('excluded.wrong_at[1]', 's.wrong_at', 3)},
    latest_at = greatest(s.latest_at, excluded.latest_at)
  where ${within('s.wrong_at', 'excluded.wrong_at[1]', 3)}
  returning s.email_hash as of`)

/** Counts one as wrong before it is looked at: of many at once, no more are looked at than the rules let. @returns false when they do not */
export async function takeProof(tx: Tx, of: string, at: Date, rules: readonly Rule[]): Promise<boolean> {
  return (await tx.run(take, [of, at.toISOString(), ...rulesOf(rules)])).length > 0
}

const giveBack = write(`
  update sign_in s set wrong_at = s.wrong_at[:array_position(s.wrong_at, $2::text::timestamptz) - 1]
    || s.wrong_at[array_position(s.wrong_at, $2::text::timestamptz) + 1:]
  where s.email_hash = $1 and array_position(s.wrong_at, $2::text::timestamptz) is not null`)

/** It was right: one that was counted at that time is none. Goes with the commit. */
export function giveBackProof(tx: Tx, of: string, at: Date): void {
  tx.atCommit(giveBack, [of, at.toISOString()])
}

const forget = write('delete from sign_in where email_hash = $1')

/** Goes with the commit. */
export function forgetProofs(tx: Tx, of: string): void {
  tx.atCommit(forget, [of])
}

const times = read<{ wrongAt: string }>(
  `select ${writeTimes('s.wrong_at')} as "wrongAt" from sign_in s where s.email_hash = $1`,
)

/** The newest first. */
export async function findProofs(reader: Reader, of: string): Promise<Date[]> {
  const [row] = await reader.run(times, [of])
  return dates(row?.wrongAt)
}
