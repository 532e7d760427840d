import type { Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { stringify } from 'yaml'
import { defaultAccount } from '../../domain/access/account.ts'
import { capMembers, hasCaps } from '../../domain/channels/caps.ts'
import type { ListedConnection } from '../../domain/channels/connection.ts'
import type { CheckedConnection } from '../../domain/channels/connectionCheck.ts'
import { Refusal } from '../../kit/refusal.ts'
import { table, visible } from '../../kit/terminal.ts'
import { fillPlaces } from '../files/places.ts'
import { readYaml } from '../files/yamlFile.ts'
import { type AddCommands, command, type OfAccount, print, type Shell } from '../shell.ts'
import { findHint, withHint } from './closedAddress.ts'
import { withProviderFiles } from './providerFiles.ts'
import { addProviderTemplates } from './providerTemplates.ts'

export const addChannels: AddCommands = (program, { administer, environment }) => {
  const channels = program.command('channels').description('manage channels: connections that carry messages')

  command(channels, 'apply', 'replaces the channels of an account with those in a file, all or nothing')
    .argument('<file>', 'YAML: a list of id, kind and settings; the first one is tried first')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const { value: written, within } = await readYaml(file)
        if (!Array.isArray(written)) throw new Refusal(`${file} must be a list of channels.`)
        const { list, missing, files } = await withProviderFiles(written, file)
        const { value, missing: unset } = fillPlaces(list, environment)
        const { id, name: account } = await admin.accounts.require(options.account)
        const unreadable = await admin.connections.unreadable(id)
        const apply = () => admin.connections.apply(id, value as unknown[], [...missing, ...unset])
        const { changed, removed, readdressed = [], takenOver = [] } = await within(apply, files).catch(withHint)
        const applied = (await admin.connections.list(id)).map((connection) => connection.id)
        const json = { account, applied, changed, removed, ...(readdressed.length > 0 && { readdressed }) }
        print(options, json, appliedText(applied, changed, removed))
        const stranded = removed.length > 0 ? await admin.connections.stranded(id) : 0
        for (const warning of findWarnings(applied, { unreadable, stranded, readdressed, takenOver }))
          process.stderr.write(`${warning}\n`)
      }),
    )

  command(channels, 'list', 'lists the channels of an account, in order')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const found = await admin.connections.list(id)
        const { publicUrl } = admin.served
        const json = found.map((connection) => connectionJson(connection, publicUrl))
        const isCapped = found.some((connection) => hasCaps(connection) || connection.spread)
        print(options, json, table(found.map((connection) => connectionLine(connection, isCapped))))
      }),
    )

  command(channels, 'export', 'prints the channels of an account as a file for apply, with placeholders for secrets')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const entries = await admin.connections.export(id)
        print(options, entries, stringify(entries, { lineWidth: 0 }).trimEnd())
      }),
    )

  addCheck(channels, { administer })
  addProviderTemplates(channels, { administer })
  addPair(channels, { administer })
  addRotate(channels, { administer })
}

function addCheck(channels: Command, { administer }: Pick<Shell, 'administer'>): void {
  command(channels, 'check', 'checks the settings with the providers; exit code 1 if something is wrong')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const checked = await admin.check(id)
        const text = checkedText(checked)
        const hint = findHint(text)
        print(options, checked, hint === undefined ? text : `${text}\n\n${hint}`)
        if (checked.some(({ findings }) => findings.some(({ level }) => level === 'bad'))) process.exitCode = 1
      }),
    )
}

function addPair(channels: Command, { administer }: Pick<Shell, 'administer'>): void {
  command(channels, 'pair', 'shows the URL for delivery reports of a channel, with a QR code to scan')
    .argument('<id>', 'id of the channel')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((id: string, options: OfAccount) =>
      administer(async (admin) => {
        const account = await admin.accounts.require(options.account)
        const connection = (await admin.connections.list(account.id)).find((one) => one.id === id)
        if (!connection) throw new Refusal(`There is no channel ${id}.`)
        const { reportPath } = connection
        if (reportPath === undefined) throw new Refusal(`The channel ${id} takes no reports.`)
        const { publicUrl } = admin.served
        if (publicUrl === undefined) throw new Refusal('Set PUBLIC_URL: an app needs the full URL.')
        const report_url = `${publicUrl}${reportPath}`
        const keep = 'Keep it secret: anyone who knows it can report deliveries.'
        const text = `The reports of ${id} come to ${report_url}\n${keep}\n\n${renderUnicodeCompact(report_url)}`
        print(options, { id, report_url }, text)
      }),
    )
}

function addRotate(channels: Command, { administer }: Pick<Shell, 'administer'>): void {
  command(
    channels,
    'rotate',
    'changes the token in the URL for delivery reports of an SMS channel; the old one stops at once',
  )
    .argument('<id>', 'id of the channel')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((id: string, options: OfAccount) =>
      administer(async (admin) => {
        const account = await admin.accounts.require(options.account)
        const report_url = `${admin.served.publicUrl ?? ''}${await admin.connections.rotate(account.id, id)}`
        const enter = 'If it is entered in the console of your provider, update it there.'
        print(
          options,
          { id, report_url },
          `The reports of ${id} now come to a different address: ${report_url}\n${enter}`,
        )
      }),
    )
}

function appliedText(applied: string[], changed: string[], removed: string[]): string {
  const said = (what: string, ids: string[]) => `${what}: ${ids.join(', ') || 'none'}.`
  return [said('Applied', applied), said('New or changed', changed), said('Removed', removed)].join(' ')
}

interface Warned {
  unreadable: string[]
  stranded: number
  readdressed: string[]
  takenOver: string[]
}

/** What was done as it was asked for, and is perhaps not what was meant. */
function findWarnings(applied: string[], found: Warned): string[] {
  const { unreadable, stranded, readdressed, takenOver } = found
  const foreign =
    `Warning: secrets that were stored before (${unreadable.join(', ')}) do not open with the WATCHWORD_SECRET of this command. If the ` +
    'running service has another WATCHWORD_SECRET, it cannot use this list: apply it again with that one.'
  const none = 'Warning: the account has no channels. Requests with live keys get 403 no_channel.'
  const waiting =
    `Warning: messages that wait for a channel that is gone, and have no other left: ${stranded}. They will fail when their turn ` +
    'comes, unless you first apply a list that has the channel under its old id again.'
  const elsewhere =
    `Warning: reports now come to a different address (${readdressed.join(', ')}), because the provider is another one, or the stored ` +
    'secrets could not be opened. If the provider has the address in its console, enter the new one: "channels list --json" has it.'
  const taken =
    `Warning: connections that a person had entered in the dashboard are yours now (${takenOver.join(', ')}). They may lead into your own ` +
    'networks, as your other connections may: see that you know their addresses.'
  return [
    ...(unreadable.length > 0 ? [foreign] : []),
    ...(readdressed.length > 0 ? [elsewhere] : []),
    ...(takenOver.length > 0 ? [taken] : []),
    ...(stranded > 0 ? [waiting] : []),
    ...(applied.length === 0 ? [none] : []),
  ]
}

function connectionJson(connection: ListedConnection, publicUrl: string | undefined) {
  const { id, kind, countries, failoverSeconds, isForTestKeys, day, unusable, rest, reportPath } = connection
  const state = unusable !== undefined ? 'unusable' : rest ? 'resting' : 'up'
  return {
    ...{ id, kind, countries, failover_seconds: failoverSeconds, state },
    ...capMembers(connection),
    ...(day && { used_of_day: day.used }),
    ...(isForTestKeys && { for_test_keys_only: true }),
    // For an installation that does not know where the world reaches it, its path.
    ...(reportPath !== undefined && { report_url: `${publicUrl ?? ''}${reportPath}` }),
    ...(rest && { rests_until: rest.until.toISOString(), reason: rest.reason }),
    ...(unusable !== undefined && { reason: unusable }),
  }
}

/** @param isCapped one of the list has caps */
function connectionLine(connection: ListedConnection, isCapped: boolean) {
  const { id, kind, countries, failoverSeconds, day } = connection
  const caps = Object.entries(capMembers(connection)).map(([name, cap]) =>
    name === 'per_day' && day ? `${name} ${cap} (${day.used} used)` : cap === true ? name : `${name} ${cap}`,
  )
  return {
    id,
    kind,
    countries: countries?.join(' ') ?? 'all',
    failover_seconds: failoverSeconds,
    ...(isCapped && { caps: caps.join(', ') || null }),
    state: stateText(connection),
  }
}

function stateText({ unusable, rest, isForTestKeys }: ListedConnection): string {
  if (unusable !== undefined) return `cannot be used with the settings of this command: ${unusable}`
  if (rest) return `resting until ${rest.until.toISOString()}: ${rest.reason}`
  return isForTestKeys ? 'for test keys only' : 'up'
}

function checkedText(checked: readonly CheckedConnection[]): string {
  if (checked.length === 0) return 'None.'
  return checked
    .map(({ id, kind, findings }) =>
      [`${id} (${kind})`, ...findings.map(({ level, text }) => `  ${level.padEnd(7)}  ${visible(text)}`)].join('\n'),
    )
    .join('\n')
}
