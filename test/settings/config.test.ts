import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { newKey } from '../../src/domain/access/keyText.ts'
import { type Config, ConfigError, loadConfig, type ProcessRole } from '../../src/settings/config.ts'
import { settingFaults } from '../support/settings.ts'

const secret = 'a secret of no less than 32 characters'
const postgres = { DATABASE_URL: 'postgres://watchword@localhost/watchword' }

function load(environment: NodeJS.ProcessEnv, role: ProcessRole = 'serve'): Config {
  return loadConfig(environment, { role })
}

describe('the settings', () => {
  it('need none to be set: one process, on its own machine, with the embedded database', () => {
    expect(load({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: undefined,
      opsHost: '127.0.0.1',
      opsHosts: [],
      opsPort: 9464,
      ...{ opsToken: undefined, opsShare: undefined, dashboardShare: undefined },
      ...{ dashboardHost: '127.0.0.1', dashboardPort: 3001, dashboardUrl: undefined, dashboardProxies: 0 },
      ...{ outboundProxy: undefined, notes: [], firstOwner: undefined, oidc: undefined },
      channelsInDashboard: true,
      channelsAllowNetworks: [],
      database: { kind: 'embedded', dataDir: '.data' },
      dataDir: '.data',
      secrets: undefined,
      secretsMissing: 'refuse',
      workerInside: true,
      processes: 1,
      devKeys: false,
      twilioVerify: false,
      sandboxKey: undefined,
      production: false,
      sandboxLive: true,
      ...{ logLevel: 'info', logFormat: undefined },
      codeTtlSeconds: 600,
      ...{ countriesAllowed: undefined, phonePrefixesAllowed: [] },
      ...{ keyRatePerSecond: 50, keyBurst: 100 },
      ...{ testKeyRatePerSecond: 50, testKeyBurst: 500 },
      testMessagesMax: 100_000,
      ...{ unknownKeysPerMinute: 600, countedSubjectsMax: 50_000 },
      connectionsPerAddress: 1000,
      retentionDays: 30,
      eventsAllowHttp: false,
      eventsAllowNetworks: [],
      telemetry: undefined,
    } satisfies Config)
  })

  it('are read from the environment', () => {
    const environment = {
      HOST: '0.0.0.0',
      PORT: '8080',
      PUBLIC_URL: 'https://API.Example:443/watchword/',
      OPS_HOST: '::1',
      OPS_HOSTS: 'ops.internal, WATCHWORD,10.0.0.5,[::2]',
      OPS_PORT: '0',
      DASHBOARD_HOST: '::1',
      DASHBOARD_PORT: 'off',
      DASHBOARD_URL: 'https://Dashboard.Example:443/',
      DASHBOARD_PROXIES: '2',
      FIRST_OWNER: ' Ada@example.com ',
      CHANNELS_IN_DASHBOARD: 'off',
      CHANNELS_ALLOW_NETWORKS: '192.168.7.0/24, fd13::/16',
      ...postgres,
      DATABASE_CONNECTIONS: '11',
      DATA_DIR: '/var/lib/watchword',
      WATCHWORD_SECRET: ` ${secret} 1, ${secret} 2 `,
      SECRETS_MISSING: 'accept',
      WORKER: 'off',
      PROCESSES: '2',
      ...{ DEV_KEYS: 'on', TWILIO_VERIFY: 'on' },
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      CODE_TTL_SECONDS: '120',
      ...{ COUNTRIES_ALLOWED: 'de, US', PHONE_PREFIXES_ALLOWED: '+1436, +1565' },
      ...{ KEY_RATE_PER_SECOND: '7', KEY_BURST: '8' },
      ...{ TEST_KEY_RATE_PER_SECOND: '5', TEST_KEY_BURST: '6' },
      TEST_MESSAGES_MAX: '1001',
      ...{ UNKNOWN_KEYS_PER_MINUTE: '11', COUNTED_SUBJECTS_MAX: '12000' },
      CONNECTIONS_PER_ADDRESS: '12',
      RETENTION_DAYS: '9',
      EVENTS_ALLOW_HTTP: 'on',
      EVENTS_ALLOW_NETWORKS: '10.0.0.0/8, fd12::/16',
    }
    expect(load(environment)).toEqual({
      host: '0.0.0.0',
      port: 8080,
      publicUrl: 'https://api.example/watchword',
      opsHost: '::1',
      opsHosts: ['ops.internal', 'watchword', '10.0.0.5', '[::2]'],
      opsPort: 0,
      ...{ opsToken: undefined, opsShare: undefined, dashboardShare: undefined },
      dashboardPort: undefined,
      ...{ outboundProxy: undefined, notes: [], firstOwner: 'Ada@example.com', oidc: undefined },
      dashboardHost: '::1',
      dashboardUrl: 'https://dashboard.example',
      dashboardProxies: 2,
      channelsInDashboard: false,
      channelsAllowNetworks: ['192.168.7.0/24', 'fd13::/16'],
      database: { kind: 'postgres', url: postgres.DATABASE_URL, connectionsMax: 5 },
      dataDir: '/var/lib/watchword',
      secrets: [`${secret} 1`, `${secret} 2`],
      secretsMissing: 'accept',
      workerInside: false,
      processes: 2,
      devKeys: true,
      twilioVerify: true,
      sandboxKey: undefined,
      production: true,
      sandboxLive: false,
      logLevel: 'warn',
      logFormat: 'json',
      codeTtlSeconds: 120,
      ...{ countriesAllowed: new Set(['DE', 'US']), phonePrefixesAllowed: ['+1436', '+1565'] },
      ...{ keyRatePerSecond: 7, keyBurst: 8 },
      ...{ testKeyRatePerSecond: 5, testKeyBurst: 6 },
      testMessagesMax: 1001,
      ...{ unknownKeysPerMinute: 11, countedSubjectsMax: 12_000 },
      connectionsPerAddress: 12,
      retentionDays: 9,
      eventsAllowHttp: true,
      eventsAllowNetworks: ['10.0.0.0/8', 'fd12::/16'],
      telemetry: undefined,
    } satisfies Config)
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(load({}))).toBe(true)
  })

  it('do not mind what else is in the environment', () => {
    expect(load({ PATH: '/bin', UNKNOWN: 'x' })).toEqual(load({}))
  })

  it('take an empty variable for one that is not set', () => {
    const empty = {
      ...{
        HOST: '',
        PORT: '',
        PUBLIC_URL: '',
        OPS_HOST: '',
        OPS_HOSTS: '',
        OPS_PORT: '',
        DASHBOARD_HOST: '',
        DASHBOARD_PORT: '',
        DASHBOARD_URL: '',
        DASHBOARD_PROXIES: '',
        DATABASE_URL: '',
        DATABASE_CONNECTIONS: '',
      },
      ...{
        ...{ DATA_DIR: '', WATCHWORD_SECRET: '', WORKER: '', PROCESSES: '' },
        ...{ DEV_KEYS: '', TWILIO_VERIFY: '' },
        NODE_ENV: '',
        LOG_LEVEL: '',
        LOG_FORMAT: '',
        CODE_TTL_SECONDS: '',
      },
      ...{
        ...{ COUNTRIES_ALLOWED: '', PHONE_PREFIXES_ALLOWED: '' },
        KEY_RATE_PER_SECOND: '',
        KEY_BURST: '',
        RETENTION_DAYS: '',
      },
      ...{ EVENTS_ALLOW_HTTP: '', EVENTS_ALLOW_NETWORKS: '' },
    }
    expect(load(empty)).toEqual(load({}))
    expect(settingFaults({ ...postgres, WATCHWORD_SECRET: '' })).toEqual([expect.stringMatching(/^WATCHWORD_SECRET: /)])
  })

  it('are refused with everything that is wrong, a line each', () => {
    const wrong = {
      PORT: '65536',
      PUBLIC_URL: 'watchword.example',
      OPS_HOSTS: 'ops.internal:9464',
      OPS_PORT: '-1',
      DASHBOARD_PORT: 'on',
      OPS_TOKEN: 'short',
      DASHBOARD_URL: 'https://dashboard.example/a;b',
      DASHBOARD_PROXIES: '11',
      FIRST_OWNER: 'ada',
      DATABASE_URL: 'mysql://localhost/watchword',
      DATABASE_CONNECTIONS: '1',
      WATCHWORD_SECRET: 'short',
      WORKER: 'yes',
      PROCESSES: '0',
      ...{ DEV_KEYS: 'true', TWILIO_VERIFY: 'yes' },
      LOG_LEVEL: 'loud',
      CODE_TTL_SECONDS: '59',
      ...{ COUNTRIES_ALLOWED: 'DE,Norway', PHONE_PREFIXES_ALLOWED: '1436' },
      KEY_RATE_PER_SECOND: '1.5',
      KEY_BURST: '0',
      RETENTION_DAYS: '0',
      EVENTS_ALLOW_HTTP: 'localhost',
      EVENTS_ALLOW_NETWORKS: '10.0.0.0/8,10.0.0.7',
    }
    const faults = settingFaults(wrong)
    expect(faults.map((fault) => fault.split(':')[0]).toSorted()).toEqual(Object.keys(wrong).toSorted())
    expect(new ConfigError(faults).message.split('\n')).toEqual([
      'The settings are wrong:',
      ...faults.map((f) => `  ${f}`),
    ])
    expect(faults.filter((fault) => fault.includes('\n'))).toEqual([])
  })

  it.each([
    ['PORT', '65535', '65536', 'must be at most 65535'],
    ['CODE_TTL_SECONDS', '60', '59', 'must be at least 60'],
    ['CODE_TTL_SECONDS', '600', '601', 'must be at most 600'],
    ['KEY_BURST', '1', '0', 'must be at least 1'],
    ['PORT', '0', '3000 ', 'must have no blank at its beginning or end'],
    ['PORT', '3000', '0x10', 'must be a whole number from 0 to 65535, in digits alone'],
    ['CODE_TTL_SECONDS', '600', '10 minutes', 'must be a whole number from 60 to 600, in digits alone'],
    [
      'EVENTS_ALLOW_NETWORKS',
      '10.0.0.0/8',
      '10.0.0.0/33',
      'must be networks like 10.0.0.0/8, or 10.0.0.5/32 for one address, separated by commas',
    ],
    ['PROCESSES', '1', '0', 'must be auto, or a whole number from 1 to 99'],
    ['PROCESSES', '1', 'abc', 'must be auto, or a whole number from 1 to 99'],
    ['FIRST_OWNER', 'ada@example.com', 'ada@localhost', 'must be an email address like ada@example.com'],
    ['OPS_HOSTS', 'a,[::1], 10.0.0.5', 'a,,b', 'must be host names or addresses, without ports, separated by commas'],
  ])('%s may be %s and not "%s"', (name, right, wrong, fault) => {
    expect(settingFaults({ [name]: right })).toEqual([])
    expect(settingFaults({ [name]: wrong })).toEqual([`${name}: ${fault}`])
  })
})

describe('several processes', () => {
  const shared = { ...postgres, WATCHWORD_SECRET: secret }
  const connections = (environment: object) => load({ ...shared, ...environment }).database

  it('are as many as are asked for, or as there are processors', () => {
    expect(load({ ...shared, PROCESSES: '3' }).processes).toBe(3)
    expect(load({ ...shared, PROCESSES: 'auto' }, 'worker').processes).toBe(availableParallelism())
  })

  it.each([
    [{}, 20],
    [{ PROCESSES: '2' }, 10],
    [{ PROCESSES: '8' }, 10],
    [{ PROCESSES: '8', DATABASE_CONNECTIONS: '20' }, 2],
    [{ PROCESSES: '3', DATABASE_CONNECTIONS: '50' }, 16],
  ])('share what connections there may be: with %j, each has %i', (environment, connectionsMax) => {
    expect(connections(environment)).toMatchObject({ connectionsMax })
  })

  it('are refused more than there are connections for', () => {
    expect(settingFaults({ ...shared, PROCESSES: '8', DATABASE_CONNECTIONS: '15' })).toEqual([
      'DATABASE_CONNECTIONS: must be at least 16 for 8 processes',
    ])
  })

  it.each(['sandbox', 'cli'] as const)('are nothing to a %s', (role) => {
    expect(load({ PROCESSES: 'auto' }, role)).toEqual(load({}, role))
  })
})

describe('the URL that the world knows', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['http://127.0.0.1:3000//', 'http://127.0.0.1:3000'],
    ['https://[::1]:3000/a/b/', 'https://[::1]:3000/a/b'],
  ])('may be %s', (given, url) => {
    expect(load({ PUBLIC_URL: given }).publicUrl).toBe(url)
  })

  it.each([
    ...[
      'ftp://a.example',
      'a.example',
      '//a.example',
      'https:a.example',
      'https://',
      'https:///a',
      'https://a b.example',
    ],
    ...['https://a.example?', 'https://a.example/#', 'https://a.example/?b=c', 'https://opensesame@a.example'],
    ...['https://me:opensesame@a.example', 'https://a.example:port', 'https:\\\\a.example'],
  ])('may not be %j, which no refusal shows', (given) => {
    const words = /^https?:\/\//.test(given)
      ? 'must be an http:// or https:// URL without credentials, "?" and "#"'
      : 'must begin with http:// or https://, like https://codes.example.com'
    expect(settingFaults({ PUBLIC_URL: given })).toEqual([`PUBLIC_URL: ${words}`])
  })
})

describe('the secret', () => {
  it('must be set with DATABASE_URL, and the refusal says how to make one', () => {
    expect(settingFaults(postgres)).toEqual([
      expect.stringMatching(/^WATCHWORD_SECRET: must be set together with DATABASE_URL.*openssl rand/),
    ])
    expect(load({ ...postgres, WATCHWORD_SECRET: secret }).secrets).toEqual([secret])
  })

  it('is asked for together with whatever else is wrong', () => {
    const faults = settingFaults({ ...postgres, PORT: 'x' })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'WATCHWORD_SECRET'])
  })

  it('is not asked of a process that only administers', () => {
    expect(load(postgres, 'cli').database).toMatchObject({ kind: 'postgres' })
  })

  it.each([
    ['one of 31 characters', 'x'.repeat(31)],
    ['a short one after a long one', `${secret},short`],
    ['one of 32 characters that are mostly spaces', `x${' '.repeat(30)} `],
    ['nothing after a comma', `${secret},`],
  ])('may not be %s', (_title, value) => {
    expect(settingFaults({ WATCHWORD_SECRET: value })).toEqual([
      'WATCHWORD_SECRET: must be secrets of at least 32 characters each, separated by commas',
    ])
  })

  it('may have 32 characters', () => {
    expect(load({ WATCHWORD_SECRET: 'x'.repeat(32) }).secrets).toEqual(['x'.repeat(32)])
  })

  it('is in no refusal, however wrong it is, and the password of the database neither', () => {
    const faults = settingFaults({
      WATCHWORD_SECRET: 'hunter2,short',
      DATABASE_URL: 'mysql://me:opensesame@localhost/x',
    })
    expect(faults).toHaveLength(2)
    expect(faults.join()).not.toMatch(/hunter2|opensesame/)
  })
})

describe("the company's sign-in", () => {
  const oidc = {
    ...{ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'watchword', OIDC_CLIENT_SECRET: 'a secret' },
    OIDC_ROLES: 'admins=owner, staff=viewer',
  }

  it('is read with the roles of the claim', () => {
    expect(load(oidc).oidc).toEqual({
      ...{ issuer: 'https://id.example.com', clientId: 'watchword', clientSecret: 'a secret', roleClaim: 'groups' },
      roles: new Map([
        ['admins', 'owner'],
        ['staff', 'viewer'],
      ]),
      ...{ account: 'default', trustsEmails: false },
    })
  })

  it.each([
    ['OIDC_CLIENT_SECRET', { ...oidc, OIDC_CLIENT_SECRET: '' }],
    ['OIDC_ROLES', { ...oidc, OIDC_ROLES: 'admins=king' }],
    ['OIDC_ISSUER', { ...oidc, OIDC_ISSUER: 'http://id.example.com' }],
  ])('is refused when %s is missing or wrong', (name, environment) => {
    expect(() => load(environment)).toThrow(name)
  })
})

describe('a sandbox', () => {
  it('is in memory with the key that everybody knows, whatever the environment is meant for', () => {
    const environment = { ...postgres, NODE_ENV: 'production', WORKER: 'off', DEV_KEYS: 'on' }
    expect(load(environment, 'sandbox')).toEqual({
      ...load({}),
      dashboardPort: undefined,
      database: { kind: 'memory' },
      testKeyRatePerSecond: 1_000_000,
      sandboxKey: expect.stringMatching(/^ww_test_\w{49}$/),
    })
  })

  it('slows down nobody with its key, unless it is told to', () => {
    expect(load({ TEST_KEY_RATE_PER_SECOND: '5' }, 'sandbox').testKeyRatePerSecond).toBe(5)
  })

  it('takes another test key', () => {
    const key = newKey('test')
    expect(load({ SANDBOX_KEY: key }, 'sandbox').sandboxKey).toBe(key)
  })

  it.each([newKey('live'), `${newKey('test').slice(0, -1)}-`, 'ww_test_mine'])(
    'takes no other text for a key',
    (key) => {
      const wanted = /SANDBOX_KEY: must be a key that begins with ww_test_/
      expect(() => load({ SANDBOX_KEY: key }, 'sandbox')).toThrow(wanted)
    },
  )

  it('is the only one to have that key', () => {
    for (const role of ['serve', 'worker', 'cli'] as const) {
      const settings = { ...postgres, WATCHWORD_SECRET: secret, SANDBOX_KEY: newKey('test') }
      expect(load(settings, role).sandboxKey).toBe(undefined)
    }
  })
})
