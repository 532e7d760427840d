/** The files that a process keeps beside its database: the server's secret, and keys for the first minutes. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Accounts, defaultAccount } from './domain/account.ts'
import { type ApiKeys, newKey } from './domain/apiKey.ts'

const ownerOnly = 0o600

export function newSecret(): string {
  return randomBytes(32).toString('base64')
}

/** The secret of an installation with one process, made at its first start. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  const kept = await readText(file)
  if (kept) return kept
  const made = newSecret()
  await writeOwnerOnly(dataDir, file, made)
  return made
}

/**
 * Writes `test-key` and `live-key`, keys of the default account with every scope, where they are not there or are not
 * known to the database.
 *
 * @param onlyFirst makes each once: an operator who threw a file away does not want it back
 */
export async function ensureKeyFiles(
  dataDir: string,
  { apiKeys, accounts }: { apiKeys: ApiKeys; accounts: Accounts },
  scopes: readonly string[],
  { onlyFirst }: { onlyFirst: boolean },
): Promise<void> {
  const { id: accountId } = await accounts.require(defaultAccount)
  const made = new Set((await apiKeys.list()).map(({ name }) => name))
  for (const mode of ['test', 'live'] as const) {
    const file = join(dataDir, `${mode}-key`)
    const kept = await readText(file)
    const name = `first ${mode} key`
    if (kept && (await apiKeys.knows(kept))) continue
    if (onlyFirst && made.has(name)) continue
    const key = newKey(mode)
    // The file first: should the process end in between, the next start finds it unknown and makes another.
    await writeOwnerOnly(dataDir, file, key)
    await apiKeys.register(key, { accountId, name, mode, scopes, expiresAt: null })
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeOwnerOnly(dataDir: string, file: string, text: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(file, `${text}\n`, { mode: ownerOnly })
}
