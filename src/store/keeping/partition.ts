/**
 * The partitions of the tables that grow: each holds the ids of a span of time, and a default one what no other does. DDL
 * keeps everybody behind it waiting, so each of its transactions waits a moment at most, and fails then with `isHeld`.
 */
import { codesOf } from '../engine/failure.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'

/** The tables, and the column of each by which it is partitioned. */
export const partitionedBy = {
  message: 'id',
  leg: 'message_id',
  sandbox_message: 'id',
  event: 'id',
  event_delivery: 'event_id',
  event_attempt: 'event_id',
} as const

export type Partitioned = keyof typeof partitionedBy

/** Ids from one, which it has, to another, which it does not have. */
export interface IdRange {
  from: string
  to: string
}

export interface Partition extends IdRange {
  name: string
}

/** Any number, the same in every process: the advisory lock under which partitions are changed. */
const partitionsLock = 8_207_412
/** Milliseconds for which a change of partitions, and whoever comes behind it, waits for those who use a table. */
const lockMs = 100
/** Milliseconds that it may take to look through a default partition, which keeps nobody from their work: as long as a purge. */
const proofMs = 50 * 60_000
/** Milliseconds by which the driver waits longer than the server: that says what happened, and the driver breaks off. */
const lastWordMs = 5000
/** Milliseconds between two looks whether a proof is to be called off. */
const lookMs = 1000

const partitions = read<{ name: string; bound: string }>(`
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1) order by c.relname`)

/** The partitions of a table that hold a span of ids. */
export async function listPartitions(reader: Reader, table: Partitioned): Promise<Partition[]> {
  const found = await reader.run(partitions, [table])
  return found.flatMap(({ name, bound }) => {
    const [, from, to] = /^FOR VALUES FROM \('(\w+)'\) TO \('(\w+)'\)$/.exec(bound) ?? []
    return from && to ? [{ name, from, to }] : []
  })
}

const proofs = read<{ name: string }>(`
  select conname as name from pg_constraint
  where conrelid = to_regclass($1) and contype = 'c' and starts_with(conname, $2) order by conname`)

/** What a process has left that was ended while it made a partition: until it is dropped, the default one refuses those ids. */
export async function listProofs(reader: Reader, table: Partitioned): Promise<string[]> {
  const found = await reader.run(proofs, [`${table}_default`, proofOf(table, '')])
  return found.map(({ name }) => name)
}

const proofOf = (table: Partitioned, suffix: string) => `${table}_ahead_${suffix}`

/** A partition that is to be made. */
export interface NewPartition extends IdRange {
  table: Partitioned
  /** Of its name, behind that of the table. */
  suffix: string
}

const briefLocks = `set_config('lock_timeout', '${lockMs}ms', true)`
const alone = write<{ isAlone: boolean }>(
  `select pg_try_advisory_xact_lock(${partitionsLock}) as "isAlone", ${briefLocks}`,
)

/** Every change of partitions begins with it. @throws PartitionsHeld when another process changes them */
export async function takeAlone(tx: Tx): Promise<void> {
  const [row] = await tx.run(alone, [])
  if (!row?.isAlone) throw new PartitionsHeld('another process changes the partitions')
}

class PartitionsHeld extends Error {
  override readonly name = 'PartitionsHeld'
}

/** A lock or the time ran out; what another process has dropped, or made before. */
const heldCodes = ['55P03', '57014', '42704', '42710', '42P01', '42P07']

/** Somebody held what a change of partitions needs, or changed it meanwhile: nothing was done, and it can be tried again. */
export function isHeld(error: unknown): boolean {
  return error instanceof PartitionsHeld || codesOf(error).some((code) => heldCodes.includes(code))
}

/** A check of a default partition, that it has no ids of partitions that are to be made: named after the first of them. */
export type PartitionProof = NewPartition

/** Has the default partition refuse such ids, so that it can be proven to have none of them. */
export async function beginProof(tx: Tx, { table, suffix, from, to }: PartitionProof): Promise<void> {
  await takeAlone(tx)
  const column = partitionedBy[table]
  await alter(
    tx,
    `alter table "${table}_default" add constraint "${proofOf(table, suffix)}"
      check (${column} < '${toId(from)}' or ${column} >= '${toId(to)}') not valid`,
  )
}

// Nobody waits behind it; but it waits for a vacuum to give way.
const patience = write<{ pid: number }>(`
  select pg_backend_pid() as pid, set_config('statement_timeout', $1, true), set_config('lock_timeout', '5s', true)`)

/** Not what else the connection may do by then. */
const callOff = read(`
  select pg_cancel_backend(pid) from pg_locks
  where pid = $1 and locktype = 'advisory' and objid = ${partitionsLock} and granted`)

export interface Proving {
  /** What a proof is called off by. */
  reader: Reader
  isStopping: () => boolean
  withinMs?: number
}

/**
 * Reads the default partition, which nobody is kept from.
 *
 * @throws Disproof when it has such ids
 * @throws Unproven when it did not come to its end: a second try would not either
 */
export async function prove(
  tx: Tx,
  { table, suffix }: PartitionProof,
  { reader, isStopping, withinMs = proofMs }: Proving,
): Promise<void> {
  await takeAlone(tx)
  const [own] = await tx.run(patience, [String(withinMs)])
  const text = `alter table "${table}_default" validate constraint "${proofOf(table, suffix)}"`
  const startedAt = performance.now()
  const look = setInterval(() => {
    if (isStopping()) reader.run(callOff, [own?.pid]).catch(() => {})
  }, lookMs)
  try {
    await tx.run(write(text, { patienceMs: withinMs + lastWordMs, isRare: true }), [])
  } catch (error) {
    const codes = codesOf(error)
    if (codes.includes('23514')) throw new Disproof('the default partition has ids of the new one')
    if (codes.includes('57014')) throw new Unproven(Math.round((performance.now() - startedAt) / 1000))
    throw error
  } finally {
    clearInterval(look)
  }
}

export class Disproof extends Error {
  override readonly name = 'Disproof'
}

/** The time ran out, or it was called off. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  readonly seconds: number

  constructor(seconds: number) {
    super(`the default partition was not looked through in ${seconds} s`)
    this.seconds = seconds
  }
}

const proven = read<{ isProven: boolean }>(`
  select convalidated as "isProven" from pg_constraint where conrelid = to_regclass($1) and conname = $2`)

/**
 * Makes a partition, as the default one is made, once that is proven to have none of its ids: by a proof of these, or of these and
 * others. From `id < a or id >= z` PostgreSQL concludes by itself that no id is from b to c.
 */
export async function addPartition(tx: Tx, partition: NewPartition, proof: PartitionProof): Promise<void> {
  await takeAlone(tx)
  const { table, suffix, from, to } = partition
  const name = `"${table}_${suffix}"`
  // From here on, this holds the default partition: nobody drops a proof of it.
  await alter(tx, `create table ${name} (like "${table}_default" including defaults including indexes)`)
  const [found] = await tx.run(proven, [`${table}_default`, proofOf(table, proof.suffix)])
  // Without it, all of the default partition would be read while everybody waits.
  if (!found?.isProven) throw new PartitionsHeld('the proof is gone')
  await alter(tx, writeGrants(`"${table}_default"`, name))
  await alter(
    tx,
    `alter table "${table}" attach partition ${name} for values from ('${toId(from)}') to ('${toId(to)}')`,
  )
}

/**
 * SQL that gives a new table the owner of another, and roles what they were granted on that: migrations change partitions too, and
 * `pg_dump` and people ask for them by their names. Both names are as SQL has them.
 */
export function writeGrants(from: string, to: string): string {
  return `
    do $$ declare holder text; kept record; begin
      select other.relowner::regrole::text into holder from pg_class other join pg_class made on made.relowner <> other.relowner
        where other.oid = '${from}'::regclass and made.oid = '${to}'::regclass;
      if found then
        begin
          execute format('alter table %s owner to %s', '${to}', holder);
        exception when insufficient_privilege then null;
        end;
      end if;
      for kept in
        select privilege_type, case grantee when 0 then 'public' else grantee::regrole::text end as holder,
          case when is_grantable then ' with grant option' end as further
        from pg_class, aclexplode(relacl) where pg_class.oid = '${from}'::regclass and grantee <> relowner
      loop
        execute format('grant %s on %s to %s%s', kept.privilege_type, '${to}', kept.holder, kept.further);
      end loop;
    end $$`
}

const dropOf = (table: Partitioned, name: string) =>
  `alter table "${table}_default" drop constraint if exists "${name}"`

export async function dropProof(tx: Tx, table: Partitioned, name: string): Promise<void> {
  await takeAlone(tx)
  await alter(tx, dropOf(table, name))
}

const brief = write(`select ${briefLocks}`)

/**
 * What drops the proof that a default partition has refused a row by: of a worker that was ended over it, and none has come since.
 * It waits for no other change of partitions, which may look through another table for as long as a purge: whoever needs this
 * proof holds its table, or sees that it is gone.
 *
 * @returns undefined for any other error
 */
export function findProofRemedy(error: unknown): ((tx: Tx) => Promise<void>) | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (code !== '23514' || typeof constraint !== 'string') return undefined
  const table = partitioned.find((name) => constraint.startsWith(proofOf(name, '')))
  if (!table) return undefined
  return async (tx) => {
    await tx.run(brief, [])
    await alter(tx, dropOf(table, constraint))
  }
}

/** Drops a partition with all that is in it. */
export async function dropPartition(tx: Tx, { name }: Partition): Promise<void> {
  await takeAlone(tx)
  await alter(tx, `drop table if exists "${name}"`)
}

export const partitioned = Object.keys(partitionedBy) as Partitioned[]

/** The other columns of the keys, so that a plan goes by the whole of one. */
const behind: Partial<Record<Partitioned, string>> = {
  event_delivery: `and d.endpoint_id > ''`,
  event_attempt: `and d.endpoint_id > '' and d.at > '-infinity'`,
}

const strays = Object.fromEntries(
  partitioned.map((table) => [
    table,
    read<{ isThere: boolean }>(`
      select exists (
        select from account a cross join lateral (
          select from ${table}_default d
          where d.account_id = a.id and d.${partitionedBy[table]} >= $1 and d.${partitionedBy[table]} < $2
            ${behind[table] ?? ''} limit 1
        ) stray
      ) as "isThere"`),
  ]),
) as Record<Partitioned, ReturnType<typeof read<{ isThere: boolean }>>>

/** Whether the default partition holds ids of a range, as when clocks were wrong. */
export async function hasStrays(reader: Reader, table: Partitioned, { from, to }: IdRange): Promise<boolean> {
  const [row] = await reader.run(strays[table], [from, to])
  return row?.isThere ?? false
}

const size = read<{ blocks: number }>(
  `select (pg_relation_size(to_regclass($1)) / current_setting('block_size')::int)::int as blocks`,
)

/** How many blocks a table or a partition has. */
export async function countBlocks(reader: Reader, name: string): Promise<number> {
  const [row] = await reader.run(size, [`"${name}"`])
  return row?.blocks ?? 0
}

/** Runs a statement that changes tables, and that no connection is to keep. */
export async function alter(tx: Tx, statement: string): Promise<void> {
  await tx.run(write(statement, { isRare: true }), [])
}

/** For a place where no parameter may stand. */
function toId(id: string): string {
  if (!/^\w+$/.test(id)) throw new Error('no id')
  return id
}
