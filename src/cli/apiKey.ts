import { type Command, InvalidArgumentError, Option } from 'commander'
import { allScopes, extraScopes, scopes } from '../contract/document.ts'
import { defaultAccount } from '../domain/access/account.ts'
import { table } from '../kit/terminal.ts'
import type { ApiKeyRow } from '../store/access/apiKey.ts'
import {
  type AddCommands,
  command,
  lengthOption,
  type OfAccount,
  type Output,
  print,
  type Shell,
  seconds,
} from './shell.ts'

export const addKeys: AddCommands = (program, shell) => {
  const keys = program.command('keys').description('manage API keys')
  addMaking(keys, shell)
  addEnding(keys, shell)

  command(keys, 'list', 'lists the keys, without their secrets').action((options: Output) =>
    shell.administer(async (admin) => {
      const found = (await admin.apiKeys.list()).map(keyJson)
      print(options, found, table(found))
    }),
  )
}

interface Making extends OfAccount {
  name: string
  mode: 'live' | 'test'
  scope?: string[]
  /** Seconds. */
  expires?: number
}

function addMaking(keys: Command, { administer }: Shell): void {
  command(keys, 'create', 'creates a key and shows it once')
    .requiredOption('--name <name>', 'a name to recognize it by')
    .addOption(
      new Option('--mode <mode>', 'live keys send to phones, test keys never do')
        .choices(['live', 'test'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--scope <scope...>', `scopes to grant (default: all except ${extraScopes.join(' and ')})`)
        .choices(allScopes)
        .argParser((scope: string, list: string[] = []) => [...list, requireScope(scope)]),
    )
    .option('--expires <time>', 'expires after this time: 90d, 24h, 30m', lifetime)
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: Making) =>
      administer(async (admin) => {
        const { id: accountId, name: account } = await admin.accounts.require(options.account)
        const expiresAt =
          options.expires === undefined ? null : new Date(admin.now().getTime() + options.expires * 1000)
        const wanted = [...new Set(options.scope ?? scopes)]
        const { key, row } = await admin.apiKeys.create({
          accountId,
          name: options.name,
          mode: options.mode,
          scopes: wanted,
          expiresAt,
        })
        const json = { ...keyJson({ ...row, account }), key }
        print(options, json, `${key}\n\nIt is not shown again. Its id is ${row.id}.`)
      }),
    )
}

function addEnding(keys: Command, { administer }: Shell): void {
  command(keys, 'revoke', 'revokes a key; every process rejects it within 5 seconds')
    .argument('<id>', 'id from keys list: key_…')
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        await admin.apiKeys.revoke(id)
        print(options, { id, revoked: true }, `Revoked ${id}.`)
      }),
    )

  command(keys, 'roll', 'creates a new key like an old one, which expires after the overlap')
    .argument('<id>', 'id from keys list: key_…')
    .addOption(lengthOption('--overlap <time>', 'how long the old key still works: 24h, 30m, 0s', '24h'))
    .action((id: string, options: Output & { overlap: number }) =>
      administer(async (admin) => {
        const { key, row, endsAt } = await admin.apiKeys.roll(id, options.overlap)
        const json = { id: row.id, key, replaces: id, replaced_ends_at: endsAt.toISOString() }
        print(options, json, `${key}\n\nIt is not shown again. ${id} ends at ${endsAt.toISOString()}.`)
      }),
    )
}

function keyJson(row: ApiKeyRow & { account: string }) {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    mode: row.mode,
    scopes: row.scopes,
    hint: `${row.hint}…`,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }
}

/** As seconds, but not none. */
function lifetime(text: string): number {
  const length = seconds(text)
  if (length === 0) throw new InvalidArgumentError('A key must end in the future.')
  return length
}

function requireScope(scope: string): string {
  if (allScopes.includes(scope)) return scope
  throw new InvalidArgumentError(`There is ${allScopes.join(', ')}.`)
}
