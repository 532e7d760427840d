/** The settings of where the API, the dashboard and the operations are: on ports of their own, or some of them on one. */
import { z } from 'zod'
import { listed } from './listed.ts'
import { whole } from './number.ts'
import { secret } from './secretFile.ts'
import { isDashboardUrl, isPublicUrl, urlWords } from './url.ts'

export interface PortSettings {
  host: string
  port: number
  /** Where the world reaches the API, without a slash at the end; undefined when nobody said so. */
  publicUrl: string | undefined
  opsHost: string
  /** In lower case; under these too, the operations port and a sandbox are asked. */
  opsHosts: readonly string[]
  opsPort: number
  /** What requests for metrics and sandbox messages prove themselves with; undefined: nothing was set. */
  opsToken: string | undefined
  /** Whose port the operations share; undefined: they have one of their own. */
  opsShare: 'api' | 'dashboard' | undefined
  /** Undefined: there is no dashboard. */
  dashboardPort: number | undefined
  dashboardHost: string
  /** Whose port the dashboard shares, under `dashboardPath`; undefined: the port is the dashboard's own. */
  dashboardShare: 'api' | 'ops' | undefined
  /** Where people reach the dashboard, without a slash at the end; undefined when nobody said so. */
  dashboardUrl: string | undefined
  /** Proxies before the dashboard, each of which adds to `X-Forwarded-For`. */
  dashboardProxies: number
}

/** Where the dashboard is on a port that it shares. */
export const dashboardPath = '/dashboard'

/** How paths begin that the API and the operations answer at. */
const pathOfOthers = /^\/(v\d+|providers|inlets|docs|openapi[\w.]*|sandbox|metrics|healthz|readyz|\.well-known)(\/|$)/

/** An IPv6 address stands in brackets, as it does in the header `Host`. */
const hostForm = /^([a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])$/
const standardHost = '127.0.0.1'

export const portForms = {
  HOST: z.string().default(standardHost),
  PORT: whole(0, 65_535, 3000),
  PUBLIC_URL: z
    .string()
    .refine(isPublicUrl, {
      error: urlWords('must be an http:// or https:// URL without credentials, "?" and "#"'),
    })
    .transform((url) => new URL(url).href.replace(/\/+$/, ''))
    .optional(),
  OPS_HOST: z.string().optional(),
  OPS_HOSTS: listed
    .transform((list) => list.map((name) => name.toLowerCase()))
    .refine((list) => list.every((name) => hostForm.test(name)), {
      error: 'must be host names or addresses, without ports, separated by commas',
    })
    .optional(),
  OPS_PORT: whole(0, 65_535, 9464),
  OPS_TOKEN: z
    .string()
    .regex(/^[!-~]{32,512}$/, 'must have 32 to 512 characters without blanks, like the output of: openssl rand -hex 32')
    .optional()
    .meta(secret),
  DASHBOARD_HOST: z.string().optional(),
  DASHBOARD_PORT: z
    .string()
    .refine((text) => text === 'off' || (/^\d{1,5}$/.test(text) && Number(text) <= 65_535), {
      error: 'must be a port from 0 to 65535, or off',
    })
    .transform((text) => (text === 'off' ? text : Number(text)))
    .default(3001),
  DASHBOARD_URL: z
    .string()
    .refine(isDashboardUrl, {
      error: urlWords(
        'must be an http:// or https:// URL, maybe with a path of letters, digits, ".", "_", "~", "-" and "/"',
      ),
    })
    .transform((url) => new URL(url).href.replace(/\/$/, ''))
    .optional(),
  DASHBOARD_PROXIES: whole(0, 10, 0),
}

const forms = z.object(portForms)
type Value = z.infer<typeof forms>

/** @param hasDashboard whether processes of this role have one */
export function readPorts(value: Value, hasDashboard: boolean): PortSettings {
  const { HOST: host, PUBLIC_URL: publicUrl, DASHBOARD_PORT: wanted } = value
  const [opsShare, dashboardShare] = [readOpsShare(value), readDashboardShare(value)]
  const withApi = dashboardShare === 'api' && publicUrl !== undefined ? publicUrl + dashboardPath : undefined
  const dashboardHost = value.DASHBOARD_HOST ?? (dashboardShare === 'api' ? host : standardHost)
  return {
    host,
    port: value.PORT,
    publicUrl,
    opsHost: value.OPS_HOST ?? { api: host, dashboard: dashboardHost, none: standardHost }[opsShare ?? 'none'],
    opsHosts: value.OPS_HOSTS ?? [],
    opsPort: value.OPS_PORT,
    opsToken: value.OPS_TOKEN,
    opsShare,
    dashboardPort: hasDashboard && wanted !== 'off' ? wanted : undefined,
    dashboardHost,
    dashboardShare,
    dashboardUrl: value.DASHBOARD_URL ?? withApi,
    dashboardProxies: value.DASHBOARD_PROXIES,
  }
}

/** Whether, in a process of these roles, the operations are guests of the API's port or of the dashboard's. */
export function sharesOps({ opsShare, dashboardPort }: PortSettings, { api }: { api: boolean }): boolean {
  return api && (opsShare === 'api' || (opsShare === 'dashboard' && dashboardPort !== undefined))
}

/** @returns what keeps the doors that have the same number from sharing a port, or from being two */
export function faultsOfPorts(value: Value): string[] {
  const { HOST: host, DASHBOARD_HOST: dashboardHost = standardHost, PUBLIC_URL: publicUrl } = value
  const faults: string[] = []
  const compare = (name: 'OPS' | 'DASHBOARD', other: string, at: string, port: number | string) => {
    const own = value[`${name}_HOST`]
    if (port !== value[`${name}_PORT`] || port === 0 || own === undefined || own === at) return
    // Two addresses of a machine can have the same port. All of them and one of them cannot.
    if (![own, at].some((host) => /^[0:.]+$/.test(host))) return
    faults.push(`${name}_HOST: must be that of ${other}HOST, or not set, where ${name}_PORT is ${other}PORT`)
  }
  compare('DASHBOARD', '', host, value.PORT)
  compare('OPS', '', host, value.PORT)
  if (value.OPS_PORT !== value.PORT) compare('OPS', 'DASHBOARD_', dashboardHost, value.DASHBOARD_PORT)
  const { DASHBOARD_URL: url } = value
  if (url !== undefined && readDashboardShare(value) === 'api' && pathOfOthers.test(new URL(url).pathname)) {
    faults.push('DASHBOARD_URL: must have another path, because the API answers there, on the same port')
  }
  const isDerived = readDashboardShare(value) === 'api' && value.DASHBOARD_URL === undefined && publicUrl !== undefined
  if (isDerived && !isDashboardUrl(publicUrl)) {
    faults.push('DASHBOARD_URL: must be set, because the dashboard cannot be under the path of PUBLIC_URL')
  }
  return faults
}

function readOpsShare({ PORT, HOST, OPS_PORT, OPS_HOST, ...value }: Value): PortSettings['opsShare'] {
  if (OPS_PORT === 0) return undefined
  if (OPS_PORT === PORT && (OPS_HOST ?? HOST) === HOST) return 'api'
  const dashboardHost = value.DASHBOARD_HOST ?? standardHost
  return OPS_PORT === value.DASHBOARD_PORT && (OPS_HOST ?? dashboardHost) === dashboardHost ? 'dashboard' : undefined
}

function readDashboardShare(value: Value): PortSettings['dashboardShare'] {
  const { PORT, HOST, DASHBOARD_PORT, DASHBOARD_HOST = HOST } = value
  if (DASHBOARD_PORT !== 0 && DASHBOARD_PORT === PORT && DASHBOARD_HOST === HOST) return 'api'
  return readOpsShare(value) === 'dashboard' ? 'ops' : undefined
}
