/** All that is not the API: for the operator, and for people who are signed in. */

import {
  appHashForm,
  brandForm,
  filledCharactersMax,
  hostForm,
  slugForm,
  trialHostForm,
  variablesMax,
} from '../contract/document.ts'
import type { Kinds } from '../delivery/channel.ts'
import { type ConnectionGuards, createKinds, firstConnection } from '../delivery/channels/kinds.ts'
import { createCheck } from '../delivery/check.ts'
import { createListProviderTemplates } from '../delivery/providerTemplates.ts'
import { createAccounts } from '../domain/access/account.ts'
import { type Changes, createActCommit } from '../domain/access/act.ts'
import { commandLine, requireOperator } from '../domain/access/actor.ts'
import { createApiKeys } from '../domain/access/apiKey.ts'
import { createListAudit } from '../domain/access/audit.ts'
import { type KeyringParts, requireOpenable } from '../domain/access/keyring.ts'
import { createReceiptKeys } from '../domain/access/receiptKey.ts'
import type { Secrets } from '../domain/access/secret.ts'
import { createConnections } from '../domain/channels/connection.ts'
import { createConnectionEdits } from '../domain/channels/connectionEdit.ts'
import { createSandboxPhones } from '../domain/channels/sandboxPhone.ts'
import { createInlets } from '../domain/inlets/inlet.ts'
import { createInletEdits } from '../domain/inlets/inletEdit.ts'
import { createConversions } from '../domain/insight/conversion.ts'
import { createFigures } from '../domain/insight/figure.ts'
import { createFirstSteps } from '../domain/insight/firstStep.ts'
import { createFindRuleHours } from '../domain/insight/ruleHours.ts'
import { createTroubles } from '../domain/insight/trouble.ts'
import { createForget } from '../domain/keeping/retention.ts'
import { createInvitations } from '../domain/people/invitation.ts'
import { createPasswords, type Passwords } from '../domain/people/password.ts'
import { createUsers } from '../domain/people/user.ts'
import { createFindUsedBudgets } from '../domain/protection/budget/budgetUse.ts'
import { createProtections } from '../domain/protection/protection.ts'
import { createReplaySource } from '../domain/protection/replay/source.ts'
import { createTryRules } from '../domain/protection/replay/trial.ts'
import { createHistory } from '../domain/sending/history.ts'
import { createExports, createMessageExport } from '../domain/sending/messageExport.ts'
import { createMessageSearch } from '../domain/sending/messageSearch.ts'
import { createResends, type ResendParts } from '../domain/sending/notifications/resend.ts'
import { createManagedOptOuts } from '../domain/sending/phones/managedOptOuts.ts'
import { createWordings } from '../domain/sending/wordings/wording.ts'
import { createTemplates } from '../domain/templates/template.ts'
import { createEndpoints } from '../domain/webhooks/endpoint.ts'
import { createEvents, type FindEndpoints } from '../domain/webhooks/event.ts'
import { type Administered, type Commands, commandsFor } from '../http/commands/calls.ts'
import { inletKinds } from '../inlets/shipped.ts'
import { createRuntime, type Runtime } from '../kit/runtime.ts'
import { type AddressGuard, createAddressGuard, type GuardParts } from '../outbound/address.ts'
import { lookup } from '../outbound/lookup.ts'
import type { Config } from '../settings/config.ts'
import { type Commit, type CommitOptions, createCommit } from '../store/engine/commit.ts'
import { connect } from '../store/engine/connect.ts'
import type { Database } from '../store/engine/database.ts'
import { openQueue } from '../store/engine/queue.ts'
import { findProofRemedy } from '../store/keeping/partition.ts'
import type { Named } from '../transfer/transfer.ts'
import { openSecrets, secretFileOf } from './dataFolder.ts'
import { queues } from './queues.ts'
import { adminSettingsOf, toRoutes } from './routes.ts'

export type Admin = Administered

/** What the operator does in a process of its own. */
export interface OpenAdmin extends Commands {
  /** By the database's clock. */
  now: () => Date
  close: () => Promise<void>
}

export interface AdminParts extends Pick<ResendParts, 'phones'> {
  commit: Commit
  runtime: Runtime
  /** Undefined: they are not known here. */
  secrets: Secrets | undefined
  /** One for the process: it works on few at once. */
  passwords: Passwords
  /** What connections there can be. */
  kinds: Kinds
  /** Whether the sandbox carries live messages of accounts that have no other connection. */
  sandboxLive: boolean
  /** Where endpoints may be. */
  endpointGuard: AddressGuard
  /** Where the world reaches the API; undefined when that is not known. */
  publicUrl: string | undefined
  /** Told of what is done; nobody is when left out. */
  changes?: Changes
}

/** The statement that writes an event finds those that listen. */
const anyone: FindEndpoints = { mayWant: () => true, isAny: async () => true }

/** What an inlet may say of its messages: as callers may. */
export const inletForms = {
  ...{ brand: brandForm, appHash: appHashForm },
  ...{ host: hostForm, trialHost: trialHostForm },
}

/** What administers a database that is open. */
export function toAdmin(parts: AdminParts): Admin {
  const { runtime, secrets, passwords, kinds, sandboxLive, endpointGuard: guard, publicUrl, changes, phones } = parts
  const commit = createActCommit(parts.commit, { runtime, changes })
  const connections = createConnections({ commit, secrets, runtime, kinds, sandboxLive })
  const replays = createReplaySource({ commit })
  const inletParts = { commit, secrets, runtime, kinds: inletKinds, forms: inletForms }
  const templateRules = { slugForm, variablesMax, charactersMax: filledCharactersMax }
  const templates = createTemplates({ commit, runtime, ...templateRules, kinds })
  const exports = createExports()
  const asking = { commit, connections, kinds, publicUrl, runtime, log: runtime.log }
  return {
    accounts: createAccounts({ commit, runtime, firstConnection, brandForm }),
    apiKeys: createApiKeys({ commit, runtime }),
    receiptKeys: createReceiptKeys({ commit, secrets, runtime }),
    templates,
    wordings: createWordings({ commit, runtime, forms: { host: hostForm } }),
    protections: createProtections({ commit, runtime }),
    ruleHours: createFindRuleHours({ commit, runtime }),
    usedBudgets: createFindUsedBudgets({ commit, runtime }),
    connections,
    connectionEdits: createConnectionEdits({ commit, secrets, runtime, kinds, sandboxLive }),
    inlets: createInlets(inletParts),
    inletEdits: createInletEdits(inletParts),
    figures: createFigures({ commit, runtime }),
    conversions: createConversions({ commit, runtime }),
    troubles: createTroubles({ commit, runtime, connections, kinds, testKind: firstConnection.kind }),
    firstSteps: createFirstSteps({ commit }),
    endpoints: createEndpoints({ commit, secrets, runtime, guard }),
    users: createUsers({ commit, runtime, passwords }),
    invitations: createInvitations({ commit, runtime, passwords }),
    replays,
    tryRules: createTryRules({ replays, runtime }),
    listAudit: createListAudit({ commit }),
    check: createCheck({ ...asking, templates }),
    listProviderTemplates: createListProviderTemplates({ ...asking, templates }),
    searchMessages: createMessageSearch({ commit, runtime }),
    exportMessages: createMessageExport({ commit, runtime, exports }),
    history: createHistory({ commit, runtime }),
    sandboxPhones: createSandboxPhones({ commit, runtime, sandboxLive }),
    forget: createForget({ commit }),
    // Endpoints are told with the next round: what knows of them, and wakes it, is made later.
    optOuts: createManagedOptOuts({
      ...{ commit, secrets, runtime, exports },
      events: createEvents({ listeners: anyone, runtime, onTold: () => {} }),
    }),
    resends: createResends({ commit, secrets, runtime, phones, filledCharactersMax, routesOf: toRoutes(parts) }),
    backup: async (actor, place) => {
      requireOperator(actor)
      // Loaded by those that use it.
      const { createBackup } = await import('../transfer/transfer.ts')
      return createBackup({ commit, name: 'The database', secrets }, runtime.now)(place)
    },
  }
}

/** The kinds of connections, with where they may lead: the operator's into his own networks too, those of people to the world alone. */
export function toKinds(
  config: Pick<Config, 'channelsAllowNetworks' | 'production' | 'opsPort' | 'outboundProxy'>,
): Kinds {
  const { channelsAllowNetworks: networks, production, outboundProxy: proxy } = config
  const opened = { networks, allowHttpInNetworks: true }
  const operators = { ...opened, allowOwnNetworks: true, allowLoopback: !production, proxy }
  return createKinds(guardsWith(operators), guardsWith({ ...forPeople(config), ...opened }))
}

function guardsWith(parts: GuardParts): ConnectionGuards {
  return { strict: createAddressGuard(parts), plain: createAddressGuard({ ...parts, allowHttp: true }) }
}

/** For URLs that people of an account choose: they never reach the operations port, which asks for no password. */
function forPeople({
  production,
  opsPort,
  outboundProxy: proxy,
}: Pick<Config, 'production' | 'opsPort' | 'outboundProxy'>): GuardParts {
  return { allowLoopback: !production, closedPorts: [opsPort], lookup, proxy }
}

/** Where endpoints may be: in the world, and where the operator lets them. */
export function guardEndpoints(
  config: Pick<Config, 'eventsAllowHttp' | 'eventsAllowNetworks' | 'production' | 'opsPort' | 'outboundProxy'>,
  lookupNames = lookup,
): AddressGuard {
  const { eventsAllowHttp: allowHttp, eventsAllowNetworks: networks } = config
  return createAddressGuard({ ...forPeople(config), lookup: lookupNames, allowHttp, networks })
}

/** How requests share commits, and how long they wait for one. */
export function commitOptions({ kind }: Database): CommitOptions {
  const groupsMax = kind === 'embedded' ? 1 : 3
  return {
    groupsMax,
    membersMax: 64,
    waitingMax: 1000,
    waitMs: 2000,
    workMs: 10_000,
    readMs: 3000,
    remedyOf: findProofRemedy,
  }
}

/**
 * Opens the database and brings its tables to this version.
 *
 * @throws DatabaseHeld, or what the driver throws when the database is out of reach
 */
export async function openDatabase(config: Config): Promise<Database> {
  const database = await connect(config.database)
  try {
    await database.migrate()
    await database.keepTime()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** @throws as openDatabase does */
export async function createAdmin(config: Config): Promise<OpenAdmin> {
  const database = await openDatabase(config)
  try {
    const commit = createCommit(database, commitOptions(database))
    const runtime = createRuntime(config.logLevel, { now: database.now })
    // Beside a database that others share, nobody knows theirs.
    const isAlone = database.kind === 'embedded'
    const held = config.secrets || isAlone ? await openSecrets(config) : undefined
    if (held) {
      await requireOpenable(keyringParts(config, { commit, secrets: held.secrets }))
      await held.keep()
    }
    const [kinds, endpointGuard] = [toKinds(config), guardEndpoints(config)]
    const admin = toAdmin({
      ...{ commit, runtime, secrets: held?.secrets, kinds, endpointGuard },
      ...adminSettingsOf(config),
      passwords: createPasswords(),
    })
    return {
      ...commandsFor(admin, commandLine),
      now: database.now,
      close: database.close,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** What the secrets of the settings are held against. */
export function keyringParts(
  config: Pick<Config, 'secrets' | 'secretsMissing' | 'dataDir'>,
  { commit, secrets }: Pick<KeyringParts, 'commit' | 'secrets'>,
): Omit<KeyringParts, 'now'> {
  const secretFile = config.secrets ? undefined : secretFileOf(config)
  return { commit, secrets, whenMissing: config.secretsMissing, secretFile }
}

/** Brings the tables and the queue to this version. @throws as openDatabase does */
export async function migrate(config: Config): Promise<void> {
  const database = await openDatabase(config)
  try {
    await migrateQueue(database, config)
  } finally {
    await database.close()
  }
}

async function migrateQueue(database: Database, { logLevel }: Config): Promise<void> {
  const { log } = createRuntime(logLevel)
  const queue = await openQueue(database, queues, { log, supervise: false })
  await queue.close()
}

export interface Unchanged extends Named {
  /** Brings the tables and the queue to this version. */
  migrate: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a database as it is: whichever version it is of, or none. @throws as openDatabase does */
export async function openUnchanged(config: Config): Promise<Unchanged> {
  const database = await connect(config.database)
  const name = config.database.kind === 'embedded' ? `The embedded database in ${config.dataDir}` : 'The PostgreSQL'
  return {
    name,
    commit: createCommit(database, commitOptions(database)),
    migrate: async () => {
      await database.migrate()
      await migrateQueue(database, config)
    },
    close: database.close,
  }
}
