/** The settings of where the API, the dashboard and the operations are. */
import { describe, expect, it } from 'vitest'
import contract from '../../generated/contract.json' with { type: 'json' }
import twilio from '../../generated/twilio-verify/contract.json' with { type: 'json' }
import { type Config, loadConfig } from '../../src/settings/config.ts'
import { settingFaults } from '../support/settings.ts'

function load(environment: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, { role: 'serve' })
}

describe('ports with one number', () => {
  const token = 'x'.repeat(32)

  it.each([
    [
      { DASHBOARD_PORT: '3000', OPS_PORT: '3000' },
      { dashboardShare: 'api', opsShare: 'api' },
    ],
    [{ DASHBOARD_PORT: '3000' }, { dashboardShare: 'api', opsShare: undefined }],
    [{ OPS_PORT: '3000' }, { dashboardShare: undefined, opsShare: 'api' }],
    [{ OPS_PORT: '3001' }, { dashboardShare: 'ops', opsShare: 'dashboard' }],
    [
      { PORT: '0', DASHBOARD_PORT: '0', OPS_PORT: '0' },
      { dashboardShare: undefined, opsShare: undefined },
    ],
    [
      { DASHBOARD_PORT: 'off', OPS_PORT: '3000' },
      { dashboardPort: undefined, opsShare: 'api' },
    ],
  ])('are one port, but for those that the system chooses: %j', (given, ports) => {
    expect(load(given)).toMatchObject(ports)
    expect(load({ ...given, OPS_TOKEN: token })).toMatchObject({ ...ports, opsToken: token })
  })

  it('are on the address of the API, which need not be said again', () => {
    const one = { HOST: '0.0.0.0', PORT: '8080', DASHBOARD_PORT: '8080', OPS_PORT: '8080' }
    const everywhere = { dashboardHost: '0.0.0.0', opsHost: '0.0.0.0', dashboardShare: 'api', opsShare: 'api' }
    expect(load(one)).toMatchObject(everywhere)
    expect(load({ ...one, DASHBOARD_HOST: '0.0.0.0', OPS_HOST: '0.0.0.0' })).toMatchObject(everywhere)
    expect(settingFaults({ ...one, DASHBOARD_HOST: '127.0.0.1', OPS_HOST: '::1' })).toEqual([
      'DASHBOARD_HOST: must be that of HOST, or not set, where DASHBOARD_PORT is PORT',
      'OPS_HOST: must be that of HOST, or not set, where OPS_PORT is PORT',
    ])
    expect(settingFaults({ OPS_PORT: '3001', OPS_HOST: '0.0.0.0' })).toEqual([
      'OPS_HOST: must be that of DASHBOARD_HOST, or not set, where OPS_PORT is DASHBOARD_PORT',
    ])
  })

  it('are two ports on two addresses of a machine', () => {
    const two = { HOST: '10.0.0.1', DASHBOARD_HOST: '10.0.0.2', DASHBOARD_PORT: '3000' }
    expect(load(two)).toMatchObject({ dashboardHost: '10.0.0.2', dashboardPort: 3000, dashboardShare: undefined })
  })

  it('put the dashboard below the public address of the API, unless it has one of its own', () => {
    const one = { DASHBOARD_PORT: '3000', PUBLIC_URL: 'https://a.example/watchword/' }
    expect(load(one).dashboardUrl).toBe('https://a.example/watchword/dashboard')
    expect(load({ ...one, DASHBOARD_URL: 'https://b.example/' }).dashboardUrl).toBe('https://b.example')
    expect(load({ PUBLIC_URL: 'https://a.example' }).dashboardUrl).toBeUndefined()
    expect(settingFaults({ ...one, PUBLIC_URL: 'https://a.example/a;b' })).toEqual([
      'DASHBOARD_URL: must be set, because the dashboard cannot be under the path of PUBLIC_URL',
    ])
  })

  it('put the dashboard at no path of the API, which would get nothing then', () => {
    const at = (path: string) => ({ DASHBOARD_PORT: '3000', DASHBOARD_URL: `https://a.example${path}` })
    const paths = Object.keys({ ...contract.paths, ...twilio.paths }).map((path) => path.split('/{')[0]!)
    const doors = ['/providers', '/inlets/acct_default', '/docs', '/openapi.json', '/.well-known', '/v1', '/metrics']
    for (const path of [...paths, ...doors]) {
      expect(settingFaults(at(path)), path).toEqual([
        'DASHBOARD_URL: must have another path, because the API answers there, on the same port',
      ])
      expect(settingFaults({ ...at(path), DASHBOARD_PORT: '3001' })).toEqual([])
    }
    for (const path of ['/', '/dashboard', '/v1x', '/team/docs']) expect(settingFaults(at(path))).toEqual([])
  })

  it.each(['short', `${'x'.repeat(31)} `, 'x'.repeat(513)])('take no token like %j', (OPS_TOKEN) => {
    expect(settingFaults({ OPS_TOKEN })).toEqual([
      'OPS_TOKEN: must have 32 to 512 characters without blanks, like the output of: openssl rand -hex 32',
    ])
  })
})

describe('the URL of the dashboard', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://A.example:443/', 'https://a.example'],
    ['https://a.example/team/watch-word/', 'https://a.example/team/watch-word'],
    ['http://[::1]:3000/a', 'http://[::1]:3000/a'],
  ])('may be %s', (given, url) => {
    expect(load({ DASHBOARD_URL: given }).dashboardUrl).toBe(url)
  })

  it.each([
    ...['https://a.example/?', 'https://a.example/#b', 'https://me@a.example/'],
    ...[
      'https://a.example//b',
      'https://a.example/a;b',
      'https://a.example/a b',
      'https://a.example/%20',
      "https://a.example/'",
    ],
  ])('may not be %s', (given) => {
    expect(settingFaults({ DASHBOARD_URL: given })).toEqual([
      'DASHBOARD_URL: must be an http:// or https:// URL, maybe with a path of letters, digits, ".", "_", "~", "-" and "/"',
    ])
  })
})
