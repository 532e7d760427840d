/** All that a database holds, as an operator takes it away, brings it back, and takes it from one kind to the other. */
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { openUnchanged } from '../app/admin.ts'
import { openHeldSecrets, secretFileOf } from '../app/dataFolder.ts'
import { ownCommand } from '../kit/ownCommand.ts'
import { Refusal } from '../kit/refusal.ts'
import { table } from '../kit/terminal.ts'
import { toRefusal } from '../process/explain.ts'
import { type Config, loadConfig } from '../settings/config.ts'
import { isEmbeddedIn } from '../store/engine/connect.ts'
import { DatabaseHeld, isUnavailable } from '../store/engine/failure.ts'
import type { Copied, OnRows, Transferred, Written } from '../transfer/transfer.ts'
import { type AddCommands, command, type Output, print, reach, type Shell } from './shell.ts'

const withoutSecret = [
  '--without-secret',
  'also copy data that cannot be decrypted with the secrets that are set',
] as const

interface Receiving extends Output {
  withoutSecret?: boolean
}

interface Restoring extends Receiving {
  from: string
  unverified?: boolean
}

export const addTransfers: AddCommands = (program, shell) => {
  command(program, 'backup', 'writes the whole database to a file, without the secret')
    .requiredOption('--to <place>', 'a new file, or a folder')
    .action((options: Output & { to: string }) => backUp(options, shell))

  command(program, 'restore', 'restores a backup into an empty database, embedded or PostgreSQL')
    .requiredOption('--from <file>', 'a file written by "backup"')
    .option(...withoutSecret)
    .option(
      '--unverified',
      'also accept a file whose signature cannot be checked: from an older version, or with a lost secret',
    )
    .action((options: Restoring) => restoreFrom(options, shell))

  command(program, 'move', 'copies the embedded database to an empty PostgreSQL; the service must be stopped')
    .requiredOption('--to <url>', 'postgres://user@host/database; the password may be in PGPASSWORD')
    .option(...withoutSecret)
    .action((options: Receiving & { to: string }) => moveTo(options, shell))
}

async function backUp(options: Output & { to: string }, { config: load }: Shell): Promise<void> {
  const config = load()
  requireEmbedded(config)
  // A signal alone would end the process with the unfinished file left behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  const admin = await reach(config, async (settings) => {
    const { createBackup } = await import('../transfer/transfer.ts')
    const opened = await openUnchanged(settings)
    // A secret that lies about in the data folder need not be that of a PostgreSQL.
    const secrets =
      settings.secrets || settings.database.kind === 'embedded' ? await openHeldSecrets(settings) : undefined
    const backup = createBackup({ ...opened, secrets }, () => new Date())
    return { backup: (place: string) => backup(place, showProgress('Writing')), close: opened.close }
  })
  const { file, bytes, isSigned, tables }: Written = await admin.backup(resolve(options.to)).finally(admin.close)
  const needed = config.secrets ? 'WATCHWORD_SECRET' : config.database.kind === 'embedded' && secretFileOf(config)
  const text = [
    `Wrote ${count(rowsOf(tables))} rows of ${tables.length} tables to ${file} (${count(bytes)} bytes).`,
    `Keep ${needed || 'the WATCHWORD_SECRET of its processes'} too, in another place: it is not in the backup. Without it, ` +
      'the backup cannot be checked for changes, and the secrets of channels, endpoints and authenticators are lost.',
    ...(isSigned ? [] : [unsignedNote]),
  ]
  print(options, { file, bytes, signed: isSigned, rows: rowsOf(tables), tables }, text.join('\n'))
}

const unsignedNote =
  'It is NOT signed, because no secret is set here: only "restore --unverified" takes it. Set WATCHWORD_SECRET for this command.'

async function restoreFrom(options: Restoring, { config: load }: Shell): Promise<void> {
  const config = load()
  const { restore } = await import('../transfer/transfer.ts')
  const [secrets, onRows] = [await openHeldSecrets(config), showProgress('Restoring')]
  const { tables, madeAt } = await transfer(config, options, config, (target) =>
    restore(resolve(options.from), target, { secrets, isUnverified: options.unverified === true, onRows }),
  )
  const text = `${copiedText(tables)}\nThe backup is of ${madeAt}. Start the service with the same settings as this command.`
  print(options, { rows: rowsOf(tables), made_at: madeAt, tables }, text)
}

async function moveTo(options: Receiving & { to: string }, { config: load, environment }: Shell): Promise<void> {
  const config = load()
  if (config.database.kind !== 'embedded') {
    throw new Refusal(
      'DATABASE_URL is set: move copies the embedded database, so unset it. Between two PostgreSQL use backup and restore.',
    )
  }
  requireEmbedded(config)
  if (!/^postgres(ql)?:\/\//.test(options.to)) throw new Refusal('--to must be a postgres:// URL.')
  const { database } = loadConfig({ ...environment, DATABASE_URL: options.to }, { role: 'cli' })
  const { move } = await import('../transfer/transfer.ts')
  const source = await openAlone(config)
  const { tables } = await transfer({ ...config, database }, options, config, (target) =>
    move(source, target, showProgress('Copying')),
  )
    .catch((error: unknown) => {
      const refusal = toRefusal(error)
      if (refusal !== undefined) throw new Refusal(refusal.replace('DATABASE_URL', '--to'))
      // The embedded one is always within reach.
      if (!isUnavailable(error)) throw error
      throw new Refusal(
        'The PostgreSQL of --to cannot be reached, or the connection was lost. Run the command again: it says if the copy was completed after all.',
      )
    })
    .finally(source.close)
  print(options, { rows: rowsOf(tables), tables }, `${copiedText(tables)}\n${nextSteps(config)}`)
}

/** @param secretsFrom whose secrets the copy will be used with */
async function transfer(
  config: Config,
  { withoutSecret: isAnyGood = false }: Receiving,
  secretsFrom: Config,
  work: (target: Parameters<typeof import('../transfer/transfer.ts')['restore']>[1]) => Promise<Transferred>,
): Promise<Transferred> {
  const secrets = isAnyGood ? undefined : await openHeldSecrets(secretsFrom)
  if (!secrets && !isAnyGood) {
    throw new Refusal(
      `No secret is set: set the WATCHWORD_SECRET that the rows were made under, or put it into ${secretFileOf(secretsFrom)}. ` +
        'Or copy with --without-secret what cannot be decrypted.',
    )
  }
  const target = await openAlone(config)
  return work({ ...target, secrets }).finally(target.close)
}

async function openAlone(config: Config) {
  try {
    return await openUnchanged(config)
  } catch (error) {
    if (!(error instanceof DatabaseHeld)) throw error
    throw new Refusal(
      `A service runs on ${config.dataDir}: stop it first, or what it writes in the meantime would be lost.`,
    )
  }
}

/** To open one that is not there would make one. */
function requireEmbedded({ database }: Config): void {
  if (database.kind !== 'embedded' || isEmbeddedIn(database.dataDir)) return
  throw new Refusal(`There is no embedded database in ${database.dataDir}. Set DATA_DIR to its data folder.`)
}

function nextSteps(config: Config): string {
  const secret = config.secrets
    ? 'WATCHWORD_SECRET as it is set now'
    : `WATCHWORD_SECRET="$(cat ${secretFileOf(config)})"`
  return [
    `${config.dataDir} was not changed. From now on, set for every process:`,
    '  DATABASE_URL as you gave it to --to, with the password',
    `  ${secret}`,
    `and start it: ${ownCommand.serve}. Without DATABASE_URL it would use the old database again.`,
  ].join('\n')
}

function copiedText(tables: readonly Copied[]): string {
  const shown = tables.map(({ table: name, rows }) => ({ table: name.replace('public.', ''), rows: count(rows) }))
  return `${table(shown)}\nCopied ${count(rowsOf(tables))} rows of ${tables.length} tables; each was read back and is the same.`
}

function rowsOf(tables: readonly Copied[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

const count = (amount: number) => amount.toLocaleString('en')

/** Milliseconds between two lines of progress. */
const showMs = 200

/** At a terminal, on stderr, which shows one line that is written again. */
function showProgress(verb: string): OnRows {
  if (!process.stderr.isTTY) return () => {}
  let shownAt = performance.now()
  process.once('exit', () => process.stderr.write('\r\u001b[2K'))
  return (name, rows) => {
    if (performance.now() - shownAt < showMs) return
    shownAt = performance.now()
    process.stderr.write(`\r\u001b[2K${verb} ${name}: ${count(rows)} rows`)
  }
}
