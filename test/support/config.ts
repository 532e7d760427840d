/** The settings of a server under test. */
import type { Config } from '../../src/settings/config.ts'
import type { DatabaseSettings } from '../../src/store/engine/connect.ts'

export function testConfig(database: DatabaseSettings, changes: Partial<Config> = {}): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    opsHost: '127.0.0.1',
    opsHosts: [],
    opsPort: 0,
    dashboardPort: undefined,
    dashboardHost: '127.0.0.1',
    dashboardUrl: undefined,
    dashboardProxies: 0,
    oidc: undefined,
    database,
    dataDir: '/nonexistent',
    secrets: ['a secret for tests, of enough characters'],
    secretsMissing: 'refuse',
    workerInside: false,
    processes: 1,
    devKeys: false,
    sandboxKey: undefined,
    production: false,
    logLevel: 'silent',
    logFormat: undefined,
    codeTtlSeconds: 600,
    countriesAllowed: undefined,
    keyRatePerSecond: 1_000_000,
    keyBurst: 1_000_000,
    testKeyRatePerSecond: 1_000_000,
    testKeyBurst: 1_000_000,
    testMessagesMax: 1_000_000,
    unknownKeysPerMinute: 1_000_000,
    connectionsPerAddress: 10_000,
    retentionDays: 30,
    eventsAllowHttp: false,
    eventsAllowNetworks: [],
    telemetry: undefined,
    ...changes,
  }
}
