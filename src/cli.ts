/**
 * The operator's commands. Exit code 0; 1 for a refusal, with one line on stderr; 2 for wrong usage. With `--json`,
 * stdout holds one JSON value and nothing else.
 */
import { readFile } from 'node:fs/promises'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { createAdmin, migrate, type OpenAdmin } from './admin.ts'
import { loadConfig } from './config.ts'
import { filledCharactersMax, scopes } from './contract/document.ts'
import { defaultAccount } from './domain/account.ts'
import { Refusal } from './domain/refusal.ts'
import { explain } from './explain.ts'
import { describeError } from './runtime.ts'
import type { AccountRow } from './store/account.ts'
import type { ApiKeyRow } from './store/apiKey.ts'
import { jsonLine, table, visible } from './terminal.ts'

/** Of a file with more faults, the first of them are named. */
const faultsShown = 50
const templateFile = z.array(z.strictObject({ slug: z.string(), text: z.string().min(1).max(filledCharactersMax) }))

const program = new Command('cli')
  .description('Administers Watchword: accounts, API keys and templates.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(add --help for what this command takes)')

const accounts = program.command('accounts').description('who keys, templates and messages belong to')
const keys = program.command('keys').description('API keys')
const templates = program.command('templates').description('texts of notifications')

command(accounts, 'create', 'makes an account')
  .argument('<name>', '1 to 64 letters, digits, spaces, ".", "_" and "-"')
  .action((name: string, options: Output) =>
    administer(async (admin) => {
      const made = accountJson(await admin.accounts.create(name))
      print(options, made, `Made the account "${made.name}" (${made.id}).`)
    }),
  )

command(accounts, 'list', 'lists the accounts').action((options: Output) =>
  administer(async (admin) => {
    const found = (await admin.accounts.list()).map(accountJson)
    print(options, found, table(found))
  }),
)

command(keys, 'create', 'makes a key and shows it, this once')
  .requiredOption('--name <name>', 'what you will know it by')
  .addOption(
    new Option('--mode <mode>', 'live keys reach phones, test keys never do')
      .choices(['live', 'test'])
      .makeOptionMandatory(),
  )
  .addOption(
    new Option('--scope <scope...>', 'what it may do; every scope when left out')
      .choices(scopes)
      .argParser((scope: string, list: string[] = []) => [...list, requireScope(scope)]),
  )
  .option('--expires <time>', 'when it ends, from now: 90d, 24h, 30m', lifetime)
  .option('--account <name>', 'whose it is', defaultAccount)
  .action(
    (options: Output & { name: string; mode: 'live' | 'test'; scope?: string[]; expires?: number; account: string }) =>
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
        print(options, json, `${key}\n\nThis is the only time that it is shown. Its id is ${row.id}.`)
      }),
  )

command(keys, 'list', 'lists the keys, without the keys themselves').action((options: Output) =>
  administer(async (admin) => {
    const found = (await admin.apiKeys.list()).map(keyJson)
    print(options, found, table(found))
  }),
)

command(keys, 'revoke', 'ends a key; every process knows within 5 seconds')
  .argument('<id>', 'as keys list shows it: key_…')
  .action((id: string, options: Output) =>
    administer(async (admin) => {
      await admin.apiKeys.revoke(id)
      print(options, { id, revoked: true }, `Revoked ${id}.`)
    }),
  )

command(keys, 'roll', 'makes a key like another one, which ends after the overlap')
  .argument('<id>', 'as keys list shows it: key_…')
  .option('--overlap <time>', 'how long the old key stays good: 24h, 30m, 0s', seconds, 24 * 3600)
  .action((id: string, options: Output & { overlap: number }) =>
    administer(async (admin) => {
      const { key, row, endsAt } = await admin.apiKeys.roll(id, options.overlap)
      const json = { id: row.id, key, replaces: id, replaced_ends_at: endsAt.toISOString() }
      print(options, json, `${key}\n\nThis is the only time that it is shown. ${id} ends at ${endsAt.toISOString()}.`)
    }),
  )

command(templates, 'apply', 'adds or changes the templates of a file, all of them or none')
  .argument('<file>', 'YAML: a list of slug and text')
  .option('--account <name>', 'whose they are', defaultAccount)
  .action((file: string, options: Output & { account: string }) =>
    administer(async (admin) => {
      const list = await readTemplates(file)
      const { id, name: account } = await admin.accounts.require(options.account)
      await admin.templates.apply(id, list)
      const slugs = list.map(({ slug }) => slug)
      print(options, { account, applied: slugs }, `Applied ${slugs.join(', ')}.`)
    }),
  )

command(templates, 'list', 'lists the templates')
  .option('--account <name>', 'whose they are', defaultAccount)
  .action((options: Output & { account: string }) =>
    administer(async (admin) => {
      const { id } = await admin.accounts.require(options.account)
      const found = (await admin.templates.list(id)).map(({ slug, text, updatedAt }) => ({
        slug,
        text,
        updated_at: updatedAt.toISOString(),
      }))
      print(options, found, table(found))
    }),
  )

command(program, 'forget', 'erases all that is held about one phone, in every account')
  .requiredOption('--phone <number>', 'in E.164 form: +14155550100')
  .action((options: Output & { phone: string }) =>
    administer(async (admin) => {
      const { messages, sandboxMessages, phoneStates } = await admin.forget(options.phone)
      const json = { messages, sandbox_messages: sandboxMessages, phone_states: phoneStates }
      print(
        options,
        json,
        `Erased ${messages} messages with their timelines, ${sandboxMessages} sandbox texts, and the limits and codes of ` +
          `${phoneStates} accounts and modes.`,
      )
    }),
  )

command(program, 'migrate', 'brings the database to this version; serve and worker do so too').action(
  async (options: Output) => {
    await migrate(adminConfig())
    print(options, { migrated: true }, 'The database is at this version.')
  },
)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

interface Output {
  json?: boolean
}

function command(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print one JSON value')
}

function adminConfig() {
  return { ...loadConfig(process.env, { role: 'cli' }), logLevel: 'silent' }
}

async function administer(work: (admin: OpenAdmin) => Promise<void>): Promise<void> {
  const admin = await createAdmin(adminConfig())
  try {
    await work(admin)
  } finally {
    await admin.close()
  }
}

/** Commander has said already what is wrong with the usage. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // A refusal repeats what it was given, which may be a file of somebody else.
  const reason = error instanceof Refusal ? visible(error.message) : explain(error)
  process.stderr.write(`${reason ?? `Failed unexpectedly: ${JSON.stringify(describeError(error))}`}\n`)
  return 1
}

function print(options: Output, json: object, text: string): void {
  process.stdout.write(`${options.json ? jsonLine(json) : text}\n`)
}

function accountJson({ id, name, createdAt }: AccountRow) {
  return { id, name, created_at: createdAt.toISOString() }
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

/** A length of time as people write it: a whole number and s, m, h or d. */
function seconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('Write a whole number and s, m, h or d: 90d, 24h, 30m.')
  return Number(count) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd']
}

function requireScope(scope: string): string {
  if (scopes.includes(scope)) return scope
  throw new InvalidArgumentError(`There is ${scopes.join(', ')}.`)
}

async function readTemplates(file: string): Promise<z.infer<typeof templateFile>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`Cannot read ${file}: ${error.code}.`)
  })
  const { data, error } = templateFile.safeParse(yamlOf(file, text))
  if (data) return data
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
  const more = faults.length > faultsShown ? `; and ${faults.length - faultsShown} more` : ''
  throw new Refusal(`${file} must be a list of slug and text: ${faults.slice(0, faultsShown).join('; ')}${more}`)
}

function yamlOf(file: string, text: string): unknown {
  try {
    return parseYaml(text, { logLevel: 'error' })
  } catch (error) {
    // Not only errors of its own kind: too many aliases, for one, are another.
    const [reason = ''] = String((error as Error).message).split('\n')
    const told = reason.startsWith('Maximum call stack') ? 'it is nested too deeply' : reason.replace(/:$/, '')
    throw new Refusal(`${file} is no YAML that can be read: ${told}`)
  }
}
