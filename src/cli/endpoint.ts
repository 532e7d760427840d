import { type Command, Option } from 'commander'
import { eventTypes } from '../contract/event.ts'
import { defaultAccount } from '../domain/access/account.ts'
import type { ListedEndpoint } from '../domain/webhooks/endpoint.ts'
import { heldCountedMax } from '../domain/webhooks/endpointDelivery.ts'
import { ownCommand } from '../kit/ownCommand.ts'
import { table } from '../kit/terminal.ts'
import { addDeliveries, idHelp } from './eventDelivery.ts'
import { addListening } from './listen.ts'
import { type AddCommands, command, type OfAccount, type Output, print, type Shell } from './shell.ts'

export const addEndpoints: AddCommands = (program, shell) => {
  const endpoints = program.command('endpoints').description('manage webhook endpoints')
  addAdding(endpoints, shell)
  addListing(endpoints, shell)
  addChanging(endpoints, shell)
  addDeliveries(endpoints, shell)
  addListening(endpoints)
}

interface Adding extends OfAccount {
  mode: 'live' | 'test'
  type?: string[]
}

function addAdding(endpoints: Command, { administer }: Shell): void {
  command(endpoints, 'add', 'adds an endpoint and shows its secret once')
    .argument('<url>', 'https://…')
    .option('--type <type>', `type of event; repeat it for several; without it, all: ${eventTypes.join(', ')}`, listed)
    .addOption(
      new Option('--mode <mode>', 'events of live keys or of test keys').choices(['live', 'test']).default('live'),
    )
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((url: string, { type, mode, ...options }: Adding) =>
      administer(async (admin) => {
        const { id: accountId } = await admin.accounts.require(options.account)
        const { endpoint, secret } = await admin.endpoints.add({ accountId, mode, url, types: type ?? null })
        const { id, types } = endpoint
        print(options, { id, url, mode, types, secret }, secretText(secret, `It signs what is sent to ${id}.`))
      }),
    )

  command(endpoints, 'rotate', 'creates a new secret and shows it once; the old one also signs for 24 hours')
    .argument('<id>', idHelp)
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        const { secret, oldEndsAt } = await admin.endpoints.rotate(await admin.endpoints.require(id))
        const end = oldEndsAt.toISOString()
        print(
          options,
          { id, secret, old_secret_ends_at: end },
          secretText(secret, `The old one signs too until ${end}.`),
        )
      }),
    )
}

function addListing(endpoints: Command, { administer }: Shell): void {
  command(endpoints, 'list', 'lists the endpoints of all accounts, with their state').action((options: Output) =>
    administer(async (admin) => {
      const found = await admin.endpoints.list()
      print(options, found.map(endpointJson), table(found.map(endpointLine)))
    }),
  )
}

function addChanging(endpoints: Command, { administer }: Shell): void {
  command(endpoints, 'remove', 'removes an endpoint, with all of its events')
    .argument('<id>', idHelp)
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        await admin.endpoints.remove(await admin.endpoints.require(id))
        print(options, { id, removed: true }, `Removed ${id}.`)
      }),
    )

  command(endpoints, 'enable', 'sends events to an endpoint again')
    .argument('<id>', idHelp)
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        const held = await admin.endpoints.enable(await admin.endpoints.require(id))
        const since = held?.since.toISOString() ?? null
        const json = { id, state: 'enabled', held: held?.count ?? 0, held_since: since }
        const hours = held ? Math.ceil((admin.now().getTime() - held.since.getTime()) / hourMs) : 0
        const missed = json.held < heldCountedMax ? `${json.held}` : `${json.held} or more`
        const hint = held
          ? ` It missed ${missed}: ${ownCommand.cli} endpoints replay ${id} --since ${Math.max(hours, 1)}h`
          : ''
        print(options, json, `Enabled ${id}.${hint}`)
      }),
    )

  command(endpoints, 'disable', 'stops sending events; they are kept until you enable the endpoint and replay them')
    .argument('<id>', idHelp)
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        await admin.endpoints.disable(await admin.endpoints.require(id))
        print(options, { id, state: 'disabled' }, `Disabled ${id}.`)
      }),
    )
}

const hourMs = 3600 * 1000

function listed(type: string, list: string[] = []): string[] {
  return [...list, type]
}

function secretText(secret: string, what: string): string {
  return `${secret}\n\nIt is not shown again. ${what}`
}

function endpointJson(row: ListedEndpoint) {
  return {
    id: row.id,
    account: row.account,
    mode: row.mode,
    url: row.url,
    types: row.types,
    state: row.disabledAt ? 'disabled' : 'enabled',
    reason: row.disabledReason,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    failures: row.failures,
    failing_since: row.failingSince?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  }
}

function endpointLine({ id, account, mode, url, types, ...run }: ListedEndpoint) {
  return { id, account, mode, url, types: types?.join(' ') ?? 'all', state: stateText(run) }
}

type RunOf = Pick<ListedEndpoint, 'disabledAt' | 'disabledReason' | 'failingSince' | 'failures'>

function stateText({ disabledAt, disabledReason, failingSince, failures }: RunOf): string {
  if (disabledAt) return `disabled since ${disabledAt.toISOString()}: ${disabledReason}`
  return failingSince ? `enabled, failing since ${failingSince.toISOString()} (${failures})` : 'enabled'
}
