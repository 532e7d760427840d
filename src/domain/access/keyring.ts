/**
 * The secrets of a process beside those that its database was used with. A process that cannot open what the database holds
 * would tell callers that right codes are wrong, so it does not start. The database notes the key id of every secret that a
 * process began with: while all of them are held, nothing else has to be looked through.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Refusal } from '../../kit/refusal.ts'
import type { Log } from '../../kit/runtime.ts'
import {
  dropKeys,
  holdKeyring,
  isUsed,
  type KeyringRow,
  listKeyring,
  listLasting,
  listPassing,
  noteKey,
  type Sealed,
} from '../../store/access/keyring.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import { openSealed } from './reseal.ts'
import type { Secrets } from './secret.ts'

/** What the whole installation finds rows by whose names it does not keep. It stays the same when secrets are rotated. */
export interface BlindIndex {
  key: KeyObject
  /** Until then, code of the version before may run beside, and knows names in the clear alone. */
  hashedFrom: Date
}

export interface KeyringParts {
  commit: Commit
  secrets: Secrets
  now: () => Date
  /** `accept`: goes on without what the missing secrets open. */
  whenMissing: 'refuse' | 'accept'
  /** Where the secret is kept when none is set. */
  secretFile: string | undefined
}

/** Milliseconds for which the version before may run beside this one, or come back. */
const upgradeMs = 24 * 3600 * 1000
const context = 'keyring'
const isLong = { isLong: true }

/** For a process that signs and seals. @throws Refusal when a secret is missing that something still needs */
export async function openKeyring(parts: KeyringParts, log: Log): Promise<BlindIndex> {
  const { commit, secrets, now, whenMissing } = parts
  const { lookup, missing } = await commit.transaction(async (tx) => {
    const rows = await holdKeyring(tx)
    const missing = await findMissing(tx, rows, secrets, now())
    if (missing.length > 0 && whenMissing === 'refuse') throw toRefusal(missing, parts)
    const lookup = await takeLookup(tx, rows, secrets, now())
    const needed = new Set(missing.map(({ keyId }) => keyId))
    await dropKeys(
      tx,
      rows.flatMap(({ keyId }) => (secrets.holds(keyId) || needed.has(keyId) ? [] : keyId)),
    )
    return { lookup, missing }
  }, isLong)
  for (const { keyId, what, count } of missing) {
    log.error({ key_id: keyId, what, count }, 'a secret is missing: data encrypted with it cannot be read')
  }
  return lookup
}

/**
 * The same for who only administers: what passes is none of his business, and nothing is noted.
 *
 * @throws Refusal when a lasting thing does not open, or processes began with other secrets only
 */
export async function requireOpenable(parts: Omit<KeyringParts, 'now'>): Promise<void> {
  const { commit, secrets, whenMissing } = parts
  if (whenMissing === 'accept') return
  const lasting = await listLasting(commit.reader)
  const begun = (await listKeyring(commit.reader)).map(({ keyId }) => ({ keyId, what: 'processes', count: 1 }) as const)
  const isOurs = begun.length === 0 || begun.some(({ keyId }) => secrets.holds(keyId))
  const missing = [...lasting, ...(isOurs ? [] : begun)].filter(({ keyId }) => !secrets.holds(keyId))
  if (missing.length > 0) throw toRefusal(missing, parts)
}

/** What none of the secrets opens. All of it is looked through only where another secret was in use, or nobody has noted any. */
async function findMissing(reader: Reader, rows: readonly KeyringRow[], secrets: Secrets, at: Date): Promise<Sealed[]> {
  const isComplete = rows.length > 0 && rows.every(({ keyId }) => secrets.holds(keyId))
  const sealed = [...(await listLasting(reader)), ...(isComplete ? [] : await listPassing(reader, at))]
  return sealed.filter(({ keyId }) => !secrets.holds(keyId))
}

/** The lookup key that is the oldest of those that open, or a new one; sealed under the first secret, too. */
async function takeLookup(tx: Tx, rows: readonly KeyringRow[], secrets: Secrets, at: Date): Promise<BlindIndex> {
  const opened = openedBy(secrets, rows)
  const [oldest = { plain: randomBytes(32).toString('base64'), hashedFrom: await findHashedFrom(tx, rows, at) }] =
    opened
  const { plain, hashedFrom } = oldest
  const [keyId] = secrets.keyIds as [string]
  const own = rows.find((row) => row.keyId === keyId)
  if (!own || openSealed(secrets, own.sealed, context) !== plain) {
    await noteKey(tx, { keyId, sealed: secrets.seal(plain, context), hashedFrom }, at)
  }
  return { key: createSecretKey(Buffer.from(plain, 'base64')), hashedFrom }
}

function openedBy(secrets: Secrets, rows: readonly KeyringRow[]): { plain: string; hashedFrom: Date }[] {
  return rows.flatMap(({ sealed, hashedFrom }) => {
    const plain = openSealed(secrets, sealed, context)
    return plain === undefined ? [] : { plain, hashedFrom }
  })
}

/**
 * The lookup key for who only administers; undefined while no process has made one.
 *
 * @throws Refusal when the secrets open none of those that were made
 */
export async function findLookupKey(reader: Reader, secrets: Secrets): Promise<KeyObject | undefined> {
  const rows = await listKeyring(reader)
  const [oldest] = openedBy(secrets, rows)
  if (!oldest && rows.length > 0)
    throw new Refusal('The secret that is set is not that of the service: set WATCHWORD_SECRET to the same value.')
  return oldest && createSecretKey(Buffer.from(oldest.plain, 'base64'))
}

async function findHashedFrom(reader: Reader, [known]: readonly KeyringRow[], at: Date): Promise<Date> {
  if (known) return known.hashedFrom
  return (await isUsed(reader)) ? new Date(at.getTime() + upgradeMs) : at
}

function toRefusal(
  missing: readonly { keyId: string; what: string; count: number }[],
  { secrets, secretFile }: Pick<KeyringParts, 'secrets' | 'secretFile'>,
): Refusal {
  const byKey = Map.groupBy(missing, ({ keyId }) => keyId)
  const lost = [...byKey].map(
    ([keyId, list]) => `${keyId} (${list.map(({ what, count }) => `${what}: ${count}`).join(', ')})`,
  )
  const todo = secretFile ? `Put the file ${secretFile} back, or set WATCHWORD_SECRET` : 'Set WATCHWORD_SECRET'
  return new Refusal(
    `Secrets are missing that the database needs, with the key ids ${lost.join(' and ')}; those that are set have ` +
      `${secrets.keyIds.join(', ')}. ${todo} to the secrets from before, separated by commas. If they are lost, ` +
      'SECRETS_MISSING=accept goes on without what they open.',
  )
}
