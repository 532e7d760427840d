/** The settings: the only reader of the environment. Gives one frozen object, or everything that is wrong at once. */
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { codeTtlRange } from '../contract/document.ts'
import { isWellFormed } from '../domain/access/keyText.ts'
import { ownCommand } from '../kit/ownCommand.ts'
import { schemaWords } from '../kit/reading/wrongType.ts'
import { isNetwork } from '../outbound/address.ts'
import type { ProxySettings } from '../outbound/proxy.ts'
import type { DatabaseSettings } from '../store/engine/connect.ts'
import { databaseUrl, faultsOfSharing, readDatabase } from './database.ts'
import { faultsOfForms, faultsOfOthers, isServiceLink } from './environment.ts'
import { firstOwnerForms } from './firstOwner.ts'
import { listed } from './listed.ts'
import { whole, wholeWithin } from './number.ts'
import { missingOfOidc, type OidcSettings, oidcForms, readOidc } from './oidc.ts'
import { oneOf } from './oneOf.ts'
import { phoneForms } from './phones.ts'
import { faultsOfPorts, type PortSettings, portForms, readPorts } from './ports.ts'
import { faultsOfProxy, notesOfProxy, proxyForms, proxyFrom } from './proxy.ts'
import { secretForms, secretWanted } from './secret.ts'
import { readSecretFiles, secret, secretsIn } from './secretFile.ts'
import { readTelemetry, type TelemetrySettings, telemetryForms } from './telemetry.ts'

/** What a process is: the API and perhaps the worker, a worker alone, a service to try things on, or an operator's command. */
export type ProcessRole = 'serve' | 'worker' | 'sandbox' | 'cli'

export interface Config extends PortSettings {
  /** Whether owners change their connections in the dashboard; if not, the command line alone does. */
  channelsInDashboard: boolean
  /** Networks that connections may lead to, beside all that are open to who wrote them: like `10.0.0.0/8`. */
  channelsAllowNetworks: readonly string[]
  /** Undefined: what is asked of others is asked directly. */
  outboundProxy: ProxySettings | undefined
  /** What is set and has no effect, a sentence each. */
  notes: readonly string[]
  /** The email whose invitation stands in the log while no user can sign in; undefined for none. */
  firstOwner: string | undefined
  /** Undefined: people sign in to the dashboard with passwords alone. */
  oidc: OidcSettings | undefined
  /** What one process has of it. */
  database: DatabaseSettings
  dataDir: string
  /** The first signs, all verify. Undefined: one is kept in the data folder. */
  secrets: readonly string[] | undefined
  /** What becomes of a process without a secret that the database needs. */
  secretsMissing: 'refuse' | 'accept'
  workerInside: boolean
  /** That share the work of this role, all started by one of their own; 1: there is but this one. */
  processes: number
  devKeys: boolean
  /** Whether the API's port speaks the wire of Twilio Verify too. */
  twilioVerify: boolean
  /** Undefined: this is no sandbox. */
  sandboxKey: string | undefined
  production: boolean
  /** Whether the sandbox carries live messages of accounts that have no other connection. */
  sandboxLive: boolean
  logLevel: string
  /** Undefined: lines for people at a terminal, JSON everywhere else. */
  logFormat: 'json' | 'pretty' | undefined
  codeTtlSeconds: number
  /** ISO 3166-1 alpha-2 codes; undefined allows all. */
  countriesAllowed: ReadonlySet<string> | undefined
  /** How numbers begin that are sent to though no numbering plan of this version has them: `+1436`. */
  phonePrefixesAllowed: readonly string[]
  keyRatePerSecond: number
  keyBurst: number
  testKeyRatePerSecond: number
  testKeyBurst: number
  /** Of each account; the oldest go first. */
  testMessagesMax: number
  /** Of one address, before those are refused that would have to be looked for. */
  unknownKeysPerMinute: number
  /** Countries, prefixes, addresses and so on that a process remembers the counts of, for rules. */
  countedSubjectsMax: number
  connectionsPerAddress: number
  retentionDays: number
  /** Whether an endpoint's URL may begin with `http://` wherever it is. */
  eventsAllowHttp: boolean
  /** Networks that endpoints may be in, beside all that are public: like `10.0.0.0/8`. */
  eventsAllowNetworks: readonly string[]
  /** Undefined: no traces. */
  telemetry: TelemetrySettings | undefined
}

/** Every fault of the environment, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: string[]

  constructor(faults: string[]) {
    super(`The settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

const rateMax = 1_000_000
const onOff = (standard: 'on' | 'off') =>
  oneOf(['on', 'off'])
    .default(standard)
    .transform((value) => value === 'on')
const networks = listed.refine((list) => list.every(isNetwork), {
  error: 'must be networks like 10.0.0.0/8, or 10.0.0.5/32 for one address, separated by commas',
})

const settings = z.object({
  ...portForms,
  CHANNELS_IN_DASHBOARD: onOff('on'),
  CHANNELS_ALLOW_NETWORKS: networks.optional(),
  ...proxyForms,
  ...firstOwnerForms,
  ...oidcForms,
  DATABASE_URL: databaseUrl.optional().meta(secret),
  DATABASE_POOLER: oneOf(['none', 'transaction']).default('none'),
  DATABASE_CONNECTIONS: wholeWithin(2, 1000).optional(),
  DATA_DIR: z.string().default('.data'),
  ...secretForms,
  WORKER: onOff('on'),
  PROCESSES: z
    .string()
    .regex(/^(auto|[1-9]\d?)$/, 'must be auto, or a whole number from 1 to 99')
    .transform((text) => (text === 'auto' ? availableParallelism() : Number(text)))
    .default(1),
  DEV_KEYS: onOff('off'),
  TWILIO_VERIFY: onOff('off'),
  SANDBOX_KEY: z
    .string()
    .refine((key) => key.startsWith('ww_test_') && isWellFormed(key), {
      error: `must be a key that begins with ww_test_, as "${ownCommand.cli} keys create --mode test" makes them`,
    })
    .default('ww_test_TheSandboxKeyOfWatchwordIsKnownToEverybody109l8ce')
    .meta(secret),
  SANDBOX_LIVE: oneOf(['on', 'off']).optional(),
  NODE_ENV: oneOf(['production', 'development', 'test']).optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: oneOf(['json', 'pretty']).optional(),
  CODE_TTL_SECONDS: whole(codeTtlRange.min, codeTtlRange.max, 600),
  ...phoneForms,
  KEY_RATE_PER_SECOND: whole(1, rateMax, 50),
  KEY_BURST: whole(1, rateMax, 100),
  TEST_KEY_RATE_PER_SECOND: whole(1, rateMax, 50),
  TEST_KEY_BURST: whole(1, rateMax, 500),
  TEST_MESSAGES_MAX: whole(1000, 1_000_000_000, 100_000),
  UNKNOWN_KEYS_PER_MINUTE: whole(1, 1_000_000, 600),
  COUNTED_SUBJECTS_MAX: whole(1000, 10_000_000, 50_000),
  CONNECTIONS_PER_ADDRESS: whole(1, 10_000, 1000),
  RETENTION_DAYS: whole(1, 3650, 30),
  EVENTS_ALLOW_HTTP: onOff('off'),
  EVENTS_ALLOW_NETWORKS: networks.optional(),
  OTEL_SDK_DISABLED: oneOf(['true', 'false']).default('false'),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: telemetryForms.collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: telemetryForms.collector.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: telemetryForms.protocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: telemetryForms.protocol.optional(),
  OTEL_TRACES_SAMPLER: telemetryForms.sampler.default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: telemetryForms.share.default(1),
})

const notOfSandbox = ['DATABASE_URL', 'DATABASE_URL_FILE', 'NODE_ENV', 'DEV_KEYS', 'WORKER']

/** Each of them may stand in the file that `<NAME>_FILE` names. */
export const secretSettings: readonly string[] = secretsIn(settings.shape)

/**
 * A sandbox keeps everything in memory, whatever the environment says of a database.
 *
 * @throws ConfigError
 */
export function loadConfig(environment: NodeJS.ProcessEnv, { role }: { role: ProcessRole }): Config {
  const { given, faults: ofFiles } = readEnvironment(environment, role)
  const parsed = settings.safeParse(given, { error: schemaWords })
  const faults = [...faultsOfForms(parsed.error?.issues ?? [], given, settings.shape), ...faultsOfOthers(given)]
  // What is missing shows when all files could be read.
  if (ofFiles.length > 0) throw new ConfigError([...ofFiles, ...faults])
  if (role !== 'cli' && given.DATABASE_URL && !given.WATCHWORD_SECRET) faults.push(secretWanted)
  if (role === 'worker' && !given.DATABASE_URL) {
    faults.push('DATABASE_URL: must be set for a worker of its own; the embedded database has one process')
  }
  faults.push(...faultsOfSharing(given, parsed.data?.PROCESSES ?? 1), ...missingOfOidc(given), ...faultsOfProxy(given))
  if (parsed.success) faults.push(...faultsOfPorts(parsed.data))
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults)
  const value = parsed.data
  const isSandbox = role === 'sandbox'
  return Object.freeze({
    ...readPorts(value, role === 'serve' || role === 'cli'),
    channelsInDashboard: value.CHANNELS_IN_DASHBOARD,
    channelsAllowNetworks: value.CHANNELS_ALLOW_NETWORKS ?? [],
    ...{ outboundProxy: proxyFrom(given), notes: notesOfProxy(given) },
    firstOwner: value.FIRST_OWNER,
    oidc: readOidc(value),
    database: readDatabase(value, isSandbox),
    dataDir: value.DATA_DIR,
    secrets: value.WATCHWORD_SECRET,
    secretsMissing: value.SECRETS_MISSING,
    workerInside: role === 'worker' || value.WORKER,
    processes: value.PROCESSES,
    devKeys: value.DEV_KEYS,
    twilioVerify: value.TWILIO_VERIFY,
    sandboxKey: isSandbox ? value.SANDBOX_KEY : undefined,
    production: value.NODE_ENV === 'production',
    sandboxLive: (value.SANDBOX_LIVE ?? (value.NODE_ENV === 'production' ? 'off' : 'on')) === 'on',
    logLevel: value.LOG_LEVEL,
    logFormat: value.LOG_FORMAT,
    codeTtlSeconds: value.CODE_TTL_SECONDS,
    countriesAllowed: value.COUNTRIES_ALLOWED && new Set(value.COUNTRIES_ALLOWED),
    phonePrefixesAllowed: value.PHONE_PREFIXES_ALLOWED ?? [],
    keyRatePerSecond: value.KEY_RATE_PER_SECOND,
    keyBurst: value.KEY_BURST,
    ...{ testKeyRatePerSecond: value.TEST_KEY_RATE_PER_SECOND, testKeyBurst: value.TEST_KEY_BURST },
    testMessagesMax: value.TEST_MESSAGES_MAX,
    unknownKeysPerMinute: value.UNKNOWN_KEYS_PER_MINUTE,
    countedSubjectsMax: value.COUNTED_SUBJECTS_MAX,
    connectionsPerAddress: value.CONNECTIONS_PER_ADDRESS,
    retentionDays: value.RETENTION_DAYS,
    eventsAllowHttp: value.EVENTS_ALLOW_HTTP,
    eventsAllowNetworks: value.EVENTS_ALLOW_NETWORKS ?? [],
    telemetry: role === 'cli' ? undefined : readTelemetry(value),
  } satisfies Config)
}

/** @returns what is set for a role, with the secrets that stand in files */
function readEnvironment(environment: NodeJS.ProcessEnv, role: ProcessRole) {
  // An empty variable is one that is not set.
  const isSet = ([name, value]: [string, string | undefined]) => value !== '' && !isServiceLink(name, value)
  const given = Object.fromEntries(Object.entries(environment).filter(isSet))
  const isSandbox = role === 'sandbox'
  if (isSandbox) for (const name of notOfSandbox) delete given[name]
  if (isSandbox || role === 'cli') delete given.PROCESSES
  // One team asks it, on its own machine: test suites that run side by side are not slowed down.
  if (isSandbox) given.TEST_KEY_RATE_PER_SECOND ??= String(rateMax)
  const { values, faults } = readSecretFiles(secretSettings, given)
  return { given: { ...given, ...values }, faults }
}
