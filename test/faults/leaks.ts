/** Looks for what must not stand somewhere: in a log, an answer, a table. */
import type postgres from 'postgres'

export interface Confidential {
  /** Tokens, keys and the like. */
  secrets: readonly string[]
  /** Of 8 digits: fewer could be part of anything. */
  codes: ReadonlySet<string>
  /** What variables hold. */
  variables: RegExp
  /** Whole ones. */
  phones: RegExp
}

/** Neither part of an id, nor the beginning of a UUID. */
const eightDigits = /(?<![0-9A-Za-z])\d{8}(?![0-9A-Za-z-])/g

/** @returns what is found of it, each with what stands around it */
export function leaksIn(text: string, { secrets, codes, variables, phones }: Confidential): string[] {
  const found = [
    ...secrets.map((secret) => text.indexOf(secret)).filter((place) => place !== -1),
    ...Array.from(text.matchAll(eightDigits), ({ 0: digits, index }) => (codes.has(digits) ? index : -1)),
    text.search(variables),
    text.search(phones),
  ]
  return found.filter((place) => place !== -1).map((place) => text.slice(Math.max(0, place - 60), place + 60))
}

/** Tables in which phones stand, and their partitions. */
const withPhones = /^(message(_\w+)?|phone)$/

/** The same of every row of every table, the queue's too. What is written as base64 or hex is looked at behind that as well. */
export async function leaksInDatabase(sql: postgres.Sql, confidential: Confidential): Promise<string[]> {
  const tables = await sql`select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`
  const leaks: string[] = []
  for (const { schema, name } of tables) {
    const rows = await sql`select * from ${sql(schema)}.${sql(name)}`
    const allowed = withPhones.test(name) ? { ...confidential, phones: /(?!)/ } : confidential
    for (const text of rows.flatMap(collectTexts)) {
      leaks.push(...leaksIn(text, allowed).map((leak) => `${schema}.${name}: ${leak}`))
    }
  }
  return leaks
}

/** Every text that is anywhere in a value, as it is and as what it may stand for. */
function collectTexts(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1'), Buffer.from(value).toString('utf8')]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(collectTexts)
  const text = String(value)
  const bytes = [
    ...(/^[A-Za-z0-9+/_-]{12,}=*$/.test(text) ? [Buffer.from(text, 'base64')] : []),
    ...(/^([0-9a-f]{2}){8,}$/i.test(text) ? [Buffer.from(text, 'hex')] : []),
  ]
  return [text, ...bytes.map((one) => one.toString('latin1'))]
}
