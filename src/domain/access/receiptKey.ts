/**
 * The key pairs that sign receipts, of the whole installation. Each mode has its own pairs and its own list of public halves:
 * who trusts live receipts does not trust those of test mode, where anybody with a test key may verify any phone.
 */
import { generateKeyPairSync } from 'node:crypto'
import {
  dropReceiptKeys,
  holdReceiptKeys,
  listReceiptKeys,
  putReceiptKey,
  type ReceiptKeyRow,
} from '../../store/access/receiptKey.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Tx } from '../../store/engine/session.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { type Actor, requireOperator } from './actor.ts'
import { openSealed } from './reseal.ts'
import { requireSecrets, type Secrets } from './secret.ts'

export interface ListedReceiptKey extends Pick<ReceiptKeyRow, 'kid' | 'mode' | 'madeAt' | 'signsFrom'> {
  /** `waits` is published and does not sign yet; `signed` is published for a day more. */
  state: 'waits' | 'signs' | 'signed'
}

export interface ReceiptKeys {
  /**
   * Seals again what is sealed under another than the first secret, and drops what is of no use any more.
   *
   * @param isSigning each mode needs its pairs: those that are missing are made
   */
  ensure: (isSigning: boolean) => Promise<{ resealed: number; unreadable: string[] }>
  /**
   * Lets the pair of each mode that waits sign, but not before its public half was published for an hour. Makes the next one.
   *
   * @param isLeaked no pair is trusted any more: all are dropped, and new ones sign at once
   * @returns those that sign from then on @throws Forbidden
   */
  rotate: (actor: Actor, isLeaked?: boolean) => Promise<ListedReceiptKey[]>
  /** Those that are published. @throws Forbidden */
  list: (actor: Actor) => Promise<ListedReceiptKey[]>
}

export interface ReceiptKeyParts {
  commit: Commit
  /** Undefined: they are not known here, and nothing can be sealed. */
  secrets: Secrets | undefined
  runtime: { now: () => Date }
}

/** Milliseconds for which others may keep a list of public halves: nothing is signed before that with one they do not have. */
const aheadMs = 3_600_000
/** Milliseconds for which a public half is published after its last receipt. */
const afterMs = 24 * 3_600_000
const modes: readonly Mode[] = ['live', 'test']
/** What each private half is sealed for. */
const contextOf = (kid: string) => `receipt key ${kid}`

export function createReceiptKeys({ commit, secrets, runtime }: ReceiptKeyParts): ReceiptKeys {
  return {
    ensure: async (isSigning) => {
      const held = requireSecrets(secrets, 'receipt keys')
      return commit.transaction(async (tx) => {
        const rows = await holdReceiptKeys(tx)
        const readable = rows.filter((row) => privateJwkOf(held, row) !== undefined)
        const now = runtime.now()
        const needed = isSigning ? modes : []
        const missing = await Promise.all(needed.map((mode) => makeMissing(mode, readable, { secrets: held, now })))
        const stale = readable.filter(({ sealed }) => !held.isCurrent(sealed))
        const anew = stale.map((row) => ({ ...row, sealed: sealOf(held, row.kid, privateJwkOf(held, row) as string) }))
        for (const row of [...missing.flat(), ...anew]) await putReceiptKey(tx, row)
        const closed = rows.filter((row) => !readable.includes(row))
        // One that never signed is missed by nobody.
        await drop(
          tx,
          closed.filter(({ signsFrom }) => signsFrom === null),
        )
        await dropOver(tx, now)
        return { resealed: anew.length, unreadable: closed.map(({ kid }) => kid) }
      })
    },
    rotate: async (actor, isLeaked = false) => {
      requireOperator(actor)
      const held = requireSecrets(secrets, 'receipt keys')
      return commit.transaction(async (tx) => {
        const rows = await holdReceiptKeys(tx)
        const making = { secrets: held, now: runtime.now() }
        const trusted = isLeaked ? [] : rows.filter((row) => privateJwkOf(held, row) !== undefined)
        const next = await Promise.all(modes.map((mode) => makeNext(mode, trusted, making)))
        const waiting = await Promise.all(modes.map((mode) => newPair(mode, null, making)))
        if (isLeaked) await drop(tx, rows)
        for (const row of [...next, ...waiting]) await putReceiptKey(tx, row)
        await dropOver(tx, making.now)
        const after = await listReceiptKeys(tx)
        return next.map((row) => listed(row, after, making.now))
      })
    },
    list: async (actor) => {
      requireOperator(actor)
      const rows = await listReceiptKeys(commit.reader)
      const now = runtime.now()
      return rows.filter((row) => isPublished(row, rows, now)).map((row) => listed(row, rows, now))
    },
  }
}

/** Whether its public half is among those that receipts are verified with. */
export function isPublished(row: ReceiptKeyRow, rows: readonly ReceiptKeyRow[], now: Date): boolean {
  const until = signsUntil(row, rows)
  return until === undefined || now.getTime() < until.getTime() + afterMs
}

/** @returns the pair that signs receipts of a mode now, of those that `opens` says yes to */
export function signingOf(
  mode: Mode,
  rows: readonly ReceiptKeyRow[],
  now: Date,
  opens: (row: ReceiptKeyRow) => boolean,
): ReceiptKeyRow | undefined {
  // The list begins with those that sign last.
  return rows.find((row) => row.mode === mode && row.signsFrom !== null && row.signsFrom <= now && opens(row))
}

/** The private half, a JWK as JSON; undefined when none of our secrets opens it. */
export function privateJwkOf(secrets: Secrets, { kid, sealed }: ReceiptKeyRow): string | undefined {
  return openSealed(secrets, sealed, contextOf(kid))
}

/** When another pair takes its place; undefined while none will. */
function signsUntil({ mode, signsFrom }: ReceiptKeyRow, rows: readonly ReceiptKeyRow[]): Date | undefined {
  if (!signsFrom) return undefined
  const later = rows.flatMap((row) =>
    row.mode === mode && row.signsFrom && row.signsFrom > signsFrom ? row.signsFrom : [],
  )
  return later.at(-1)
}

function listed(row: ReceiptKeyRow, rows: readonly ReceiptKeyRow[], now: Date): ListedReceiptKey {
  const { kid, mode, madeAt, signsFrom } = row
  const until = signsUntil(row, rows)
  const state = !signsFrom || signsFrom > now ? 'waits' : until && until <= now ? 'signed' : 'signs'
  return { kid, mode, madeAt, signsFrom, state }
}

interface Making {
  secrets: Secrets
  now: Date
}

/** The one that waits, an hour after it was published; a new one at once, where none can sign until then. */
async function makeNext(mode: Mode, trusted: readonly ReceiptKeyRow[], making: Making): Promise<ReceiptKeyRow> {
  const own = trusted.filter((row) => row.mode === mode)
  if (own.length === 0) return newPair(mode, making.now, making)
  const next = own.find(({ signsFrom }) => signsFrom === null) ?? (await newPair(mode, null, making))
  return { ...next, signsFrom: new Date(Math.max(making.now.getTime(), next.madeAt.getTime() + aheadMs)) }
}

/** Drops those whose public halves nobody needs any more. */
async function dropOver(tx: Tx, now: Date): Promise<void> {
  const rows = await listReceiptKeys(tx)
  await drop(
    tx,
    rows.filter((row) => !isPublished(row, rows, now)),
  )
}

function drop(tx: Tx, rows: readonly ReceiptKeyRow[]): Promise<void> {
  return dropReceiptKeys(
    tx,
    rows.map(({ kid }) => kid),
  )
}

/** One that signs and one that waits. The first of all signs at once: nobody has a list without it. */
async function makeMissing(mode: Mode, readable: readonly ReceiptKeyRow[], making: Making): Promise<ReceiptKeyRow[]> {
  const own = readable.filter((row) => row.mode === mode)
  const hasSigning = own.some(({ signsFrom }) => signsFrom !== null)
  const hasWaiting = own.some(({ signsFrom }) => signsFrom === null)
  return [
    ...(hasSigning ? [] : [await newPair(mode, making.now, making)]),
    ...(hasWaiting ? [] : [await newPair(mode, null, making)]),
  ]
}

async function newPair(mode: Mode, signsFrom: Date | null, { secrets, now }: Making): Promise<ReceiptKeyRow> {
  // Most processes never make one.
  const { calculateJwkThumbprint } = await import('jose')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const own = publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(own)
  const publicJwk = JSON.stringify({ ...own, kid, alg: 'EdDSA', use: 'sig' })
  const sealed = sealOf(secrets, kid, JSON.stringify(privateKey.export({ format: 'jwk' })))
  return { kid, mode, publicJwk, sealed, madeAt: now, signsFrom }
}

function sealOf(secrets: Secrets, kid: string, privateJwk: string): Uint8Array {
  return secrets.seal(privateJwk, contextOf(kid))
}
