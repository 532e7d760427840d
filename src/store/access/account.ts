/** Accounts. */
import { type Raw, toRows } from '../engine/row.ts'
import { type Reader, read, type Tx, write } from '../engine/session.ts'
import type { account } from '../schema/schema.ts'

export type AccountRow = typeof account.$inferSelect

const accounts = toRows<AccountRow>('account', {
  id: 'text',
  name: 'text',
  nameKey: 'text',
  brand: 'text',
  cooldownSeconds: 'int',
  createdAt: 'timestamptz',
})

const insert = write<{ id: string }>(`${accounts.insert} on conflict do nothing returning id`)

/** @returns whether the name was free */
export async function insertAccount(tx: Tx, row: AccountRow): Promise<boolean> {
  return (await tx.run(insert, accounts.valuesOf(row))).length > 0
}

const lock = write('select a.id from account a where a.id = $1 for no key update')

/** Who changes what belongs to an account, one after the other. Keys may be made and used meanwhile. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.run(lock, [id])
}

const byName = read<Raw<AccountRow>>(`
  select ${accounts.columns('a')} from account a where a.name = $1 or a.name_key = $2`)

/** By its very name, or else by what makes it one: of those that were there before, two can have the same. */
export async function findAccount(reader: Reader, name: string, nameKey: string): Promise<AccountRow | undefined> {
  const found = (await reader.run(byName, [name, nameKey])).map(accounts.rowOf)
  return found.find((row) => row.name === name) ?? found[0]
}

const byId = read<Raw<AccountRow>>(`select ${accounts.columns('a')} from account a where a.id = $1`)

export async function findAccountById(reader: Reader, id: string): Promise<AccountRow | undefined> {
  return (await reader.run(byId, [id])).map(accounts.rowOf)[0]
}

export type AccountSettings = Pick<AccountRow, 'brand' | 'cooldownSeconds'>

const set = write('update account set brand = $2, cooldown_seconds = $3::int where id = $1')

/** Whoever does so holds the account's row. */
export async function setAccount(tx: Tx, id: string, { brand, cooldownSeconds }: AccountSettings): Promise<void> {
  await tx.run(set, [id, brand, cooldownSeconds])
}

const all = read<Raw<AccountRow>>(`select ${accounts.columns('a')} from account a order by a.name`)

export async function listAccounts(reader: Reader): Promise<AccountRow[]> {
  return (await reader.run(all, [])).map(accounts.rowOf)
}
