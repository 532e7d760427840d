/** The files that a process keeps beside its database: the server's secret, and keys for the first minutes. */
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allScopes, scopes } from '../contract/document.ts'
import { type Accounts, defaultAccount } from '../domain/access/account.ts'
import { theService } from '../domain/access/actor.ts'
import type { ApiKeys } from '../domain/access/apiKey.ts'
import { newKey } from '../domain/access/keyText.ts'
import { createSecrets, type Secrets } from '../domain/access/secret.ts'
import type { Config } from '../settings/config.ts'
import { makeFolder, syncFolder } from '../store/engine/disk.ts'

const ownerOnly = 0o600

/**
 * The server's secrets: those that are set, or the one that is kept. Where there are none, one is made: `keep` writes it beside the
 * database, once that has shown that it needs no other.
 */
export async function openSecrets(
  config: Pick<Config, 'secrets' | 'database' | 'dataDir'>,
): Promise<{ secrets: Secrets; keep: () => Promise<void> }> {
  const { database, dataDir } = config
  // What is in memory is forgotten with its secret.
  const held = config.secrets || database.kind !== 'memory' ? await openHeldSecrets(config) : undefined
  if (held) return { secrets: held, keep: async () => {} }
  const made = randomBytes(32).toString('base64')
  const keep = async () => {
    if (database.kind !== 'memory') await writeOwnerOnly(dataDir, secretFileOf(config), made)
  }
  return { secrets: createSecrets([made]), keep }
}

/** The same, where there are any: none is made. */
export async function openHeldSecrets(config: Pick<Config, 'secrets' | 'dataDir'>): Promise<Secrets | undefined> {
  const kept = config.secrets ? undefined : await readText(secretFileOf(config))
  const held = config.secrets ?? (kept === undefined ? undefined : [kept])
  return held && createSecrets([...held])
}

/** Where the secret of an embedded database is kept, if none is set. */
export function secretFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret')
}

interface AdminOfKeys {
  apiKeys: ApiKeys
  accounts: Accounts
}

/** The keys that a service has from its start. */
export async function ensureKeys(config: Config, admin: AdminOfKeys): Promise<void> {
  const { sandboxKey, database, devKeys } = config
  if (sandboxKey) {
    // In a sandbox, nothing is live that its templates or codes could change. A contract that changes while a designer works may have new ones.
    if (await admin.apiKeys.knows(sandboxKey)) return admin.apiKeys.setScopes(theService, sandboxKey, allScopes)
    const { id: accountId } = await admin.accounts.require(theService, defaultAccount)
    await admin.apiKeys.register(theService, sandboxKey, {
      accountId,
      name: 'sandbox',
      mode: 'test',
      scopes: allScopes,
      expiresAt: null,
    })
  } else if (database.kind === 'embedded' || devKeys) await ensureKeyFiles(config, admin)
}

/**
 * Writes `test-key` and `live-key`, keys of the default account with every scope, where they are not there or are not
 * known to the database. Unless they are asked for (`DEV_KEYS`), each once: an operator who threw a file away does not
 * want it back.
 */
async function ensureKeyFiles({ dataDir, devKeys }: Config, { apiKeys, accounts }: AdminOfKeys): Promise<void> {
  const { id: accountId } = await accounts.require(theService, defaultAccount)
  const made = new Set((await apiKeys.list(theService)).map(({ name }) => name))
  for (const mode of ['test', 'live'] as const) {
    const file = join(dataDir, `${mode}-key`)
    const kept = await readText(file)
    const name = `first ${mode} key`
    if (kept && (await apiKeys.knows(kept))) continue
    if (!devKeys && made.has(name)) continue
    const key = newKey(mode)
    // The file first: should the process end in between, the next start finds it unknown and makes another.
    await writeOwnerOnly(dataDir, file, key)
    await apiKeys.register(theService, key, { accountId, name, mode, scopes, expiresAt: null })
  }
}

/** The link of the dashboard's first owner. @returns the file it is in; without a link there is none */
export async function keepInvitation(dataDir: string, link: string | undefined): Promise<string | undefined> {
  const file = join(dataDir, 'dashboard-invite')
  if (link === undefined) await rm(file, { force: true })
  else await writeOwnerOnly(dataDir, file, link)
  return link && file
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Resolves when it is on the disk: without the secret, nothing can be read that was sealed with it. */
async function writeOwnerOnly(dataDir: string, file: string, text: string): Promise<void> {
  await makeFolder(dataDir)
  await writeFile(file, `${text}\n`, { mode: ownerOnly, flush: true })
  await syncFolder(dataDir)
}
