/** What a wrong setting is told: what it must be, in words of ours, and nothing of what it was. */
import { describe, expect, it } from 'vitest'
import { documentedSettings, settingFaults } from '../support/settings.ts'

/** Any text is one of theirs. */
const free = [
  'HOST',
  'OPS_HOST',
  'DASHBOARD_HOST',
  'DATA_DIR',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ROLE_CLAIM',
]
const wrong = '\u0000 hunter2 is no value of any'
const own = (name: string) => settingFaults({ [name]: wrong }).filter((fault) => fault.startsWith(`${name}: `))

it.each(documentedSettings.filter((name) => ![...free, 'OIDC_ACCOUNT'].includes(name)))(
  'a wrong %s is told what it must be',
  (name) => {
    const [fault = ''] = own(name)
    expect(fault).toMatch(/: must (be|begin|have|name) /)
    expect(fault).not.toMatch(/hunter2|invalid|expected|received|option|string|regex/i)
  },
)

it('a setting that is one of a few words names them', () => {
  expect(settingFaults({ LOG_FORMAT: 'xml', WORKER: 'yes', NODE_ENV: 'prod' })).toEqual([
    'WORKER: must be on or off',
    'NODE_ENV: must be production, development or test',
    'LOG_FORMAT: must be json or pretty',
  ])
})

describe('a DATABASE_URL', () => {
  const secret = { WATCHWORD_SECRET: 'a secret of no less than 32 characters' }
  const told = (url: string) => settingFaults({ ...secret, DATABASE_URL: url })

  it.each(['p/w', 'p#w', 'p?w', 'p%w', '123/w', '12#w', '1?w', 'p@/w'])(
    'with %s for a password is told how to encode it, and shows nothing of it',
    (password) => {
      expect(told(`postgres://me:${password}@db.internal:5432/watchword`)).toEqual([
        'DATABASE_URL: must have these percent-encoded in user name and password: / as %2F, # as %23, ? as %3F, % as %25, @ as %40',
      ])
      expect(told(`postgres://me:${encodeURIComponent(password)}@db.internal:5432/watchword`)).toEqual([])
    },
  )

  it('with a blank at its end is told so', () => {
    for (const url of ['postgres://me@db/x ', ' postgres://me@db/x', 'postgres://me@db/x\n'])
      expect(told(url)).toEqual(['DATABASE_URL: must have no blank at its beginning or end'])
  })

  it('that names a certificate that is not there is told which', () => {
    expect(told('postgres://me@db/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem')).toEqual([
      'DATABASE_URL: must name a file in sslrootcert that can be read: /nowhere/ca.pem cannot',
    ])
  })

  it('that asks for TLS in a way that there is not is told the ways', () => {
    const words = 'DATABASE_URL: must have one of these for sslmode: disable, allow, prefer, require, verify-ca, '
    expect(told('postgres://me@db/x?sslmode=required')).toEqual([`${words}verify-full, no-verify`])
    expect(told('postgres://me@db/x?sslmode=verify-ca&uselibpqcompat=true')).toEqual([
      'DATABASE_URL: must name the file of a certificate authority in sslrootcert for sslmode=verify-ca',
    ])
    expect(told('postgres://me@db/x?sslmode=no-verify')).toEqual([])
  })

  it('may have what an address of mail has in its parameters', () => {
    expect(told('postgres://db/x?user=me@corp&application_name=a%40b')).toEqual([])
    expect(told('postgres://me:p@ss@db/x')).toEqual([])
  })
})

describe('bytes that are not UTF-8, in whose place Node has U+FFFD', () => {
  const lost = 'p\ufffdss'
  const says = (name: string, advice: string) => `${name}: has U+FFFD in place of bytes that are not UTF-8: ${advice}`
  const inFile = (name: string) => `put the value into a file in UTF-8 that ${name}_FILE names`
  const encoded = 'percent-encode them, as %C3%BC for ü'
  const terminal = 'set it in a terminal in UTF-8 (LANG=C.UTF-8), or in a file that is saved as UTF-8'

  it('are refused in every setting, without the value', () => {
    expect(settingFaults({ DATABASE_URL: `postgres://me:${lost}@db/x`, WATCHWORD_SECRET: lost.repeat(8) })).toEqual([
      says('DATABASE_URL', `${encoded}, or ${inFile('DATABASE_URL')}`),
      says('WATCHWORD_SECRET', inFile('WATCHWORD_SECRET')),
    ])
    expect(settingFaults({ DATA_DIR: lost, OUTBOUND_PROXY: `http://me:${lost}@proxy` })).toEqual([
      says('OUTBOUND_PROXY', `${encoded}, or ${inFile('OUTBOUND_PROXY')}`),
      says('DATA_DIR', terminal),
    ])
  })

  it('are refused in what others name, where it is read', () => {
    const others = { PGPASSWORD: lost, HTTPS_PROXY: `http://me:${lost}@proxy`, PGX1: lost, OTHER: lost }
    const database = { DATABASE_URL: 'postgres://me@db/x', WATCHWORD_SECRET: 'x'.repeat(32) }
    expect(settingFaults({ ...others, ...database, OUTBOUND_PROXY: 'env' })).toEqual([
      says('PGPASSWORD', terminal),
      says('HTTPS_PROXY', encoded),
    ])
    expect(settingFaults(others)).toEqual([])
  })
})

it('a blank around a setting is refused where it would change what it means', () => {
  const blank = 'must have no blank at its beginning or end'
  const given = { PORT: ' 3000', PUBLIC_URL: 'https://a.example ', DATA_DIR: 'data ', WORKER: 'on\t', HOST: '::1\n' }
  expect(settingFaults(given).toSorted()).toEqual(
    Object.keys(given)
      .toSorted()
      .map((name) => `${name}: ${blank}`),
  )
  expect(settingFaults({ COUNTRIES_ALLOWED: 'DE, US ', OUTBOUND_PROXY: 'http://proxy:3128 ' })).toEqual([])
})

it('a list may have blanks and line ends around its entries, and a comma behind the last one', () => {
  const given = {
    ...{ COUNTRIES_ALLOWED: 'de, US,', PHONE_PREFIXES_ALLOWED: '+1436,\n+1565', OPS_HOSTS: 'ops.example,' },
    ...{ CHANNELS_ALLOW_NETWORKS: '10.0.0.0/8,\n 127.0.0.1/32,\n', EVENTS_ALLOW_NETWORKS: '10.1.2.3/8, 2001:DB8::/32' },
  }
  expect(settingFaults(given)).toEqual([])
  const empty = Object.fromEntries(Object.keys(given).map((name) => [name, ',']))
  expect(settingFaults(empty)).toHaveLength(Object.keys(given).length)
  expect(settingFaults({ EVENTS_ALLOW_NETWORKS: '10.0.0.5', COUNTRIES_ALLOWED: 'UK' })).toEqual([
    'COUNTRIES_ALLOWED: must be two-letter country codes like DE or GB (ISO 3166-1), separated by commas',
    'EVENTS_ALLOW_NETWORKS: must be networks like 10.0.0.0/8, or 10.0.0.5/32 for one address, separated by commas',
  ])
})

const comment =
  'must have no comment behind it: docker run --env-file, kubectl and systemd keep what Compose, dotenv and a shell take off; ' +
  'write the comment on a line of its own'

it('a place that was not filled in is no secret, and a comment behind a value is named', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a file of settings
  const place = '${SECRET_OF_THE_VAULT_WITH_A_LONG_NAME}'
  expect(settingFaults({ PORT: '3000 # of the API', WATCHWORD_SECRET: place })).toEqual([
    `PORT: ${comment}`,
    'WATCHWORD_SECRET: names a variable that was not filled in: docker run --env-file keeps it as it is written',
  ])
})

describe('a comment that was left in a value', () => {
  it.each([
    ...[
      ['HOST', '127.0.0.1 # for the proxy'],
      ['HOST', '# 127.0.0.1'],
      ['OPS_HOST', '127.0.0.1 #x'],
      ['DASHBOARD_HOST', '127.0.0.1\t# x'],
      ['DATA_DIR', './data # x'],
      ['PORT', '3000 #x'],
      ['PUBLIC_URL', 'https://codes.example.com # x'],
      ['COUNTRIES_ALLOWED', 'DE, # AT'],
      ['WORKER', 'on # x'],
      ['WATCHWORD_SECRET_FILE', '/run/secrets/none # x'],
      ['OPS_TOKEN', `${'x'.repeat(32)} # x`],
      ['OUTBOUND_PROXY', 'http://proxy:3128 # x'],
    ],
  ])('is named: %s=%s', (name, value) => {
    expect(settingFaults({ [name]: value })).toEqual([`${name}: ${comment}`])
  })

  it('is none where a secret, a group or an address has a hash of its own', () => {
    const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'watchword', OIDC_CLIENT_SECRET: 'a #b c' }
    expect(settingFaults({ ...oidc, OIDC_ROLES: 'Team #1=owner', OIDC_ACCOUNT: 'Acme #2' })).toEqual([])
    expect(settingFaults({ OIDC_ROLES: 'admins=owner # all', ...oidc })).toEqual([`OIDC_ROLES: ${comment}`])
    expect(settingFaults({ DATA_DIR: './data#1', WATCHWORD_SECRET: `${'x'.repeat(32)} #` })).toEqual([])
  })
})
