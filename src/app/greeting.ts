/** The first lines that whoever starts a service reads: what there is, and where. */
import type { Uninvited } from '../domain/people/firstInvitation.ts'
import type { Log } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import { dashboardPath } from '../settings/ports.ts'

export interface Greeting {
  version: string
  /** URL of the API; undefined in a process that has none. */
  api: string | undefined
  dashboard?: { url: string; invitation?: string | undefined } | undefined
  /** URL of the operations. */
  operations: string
  /** Who gets the metrics there: those with the token, or none, because a shared port has no token; everyone when left out. */
  metrics?: 'token' | 'closed' | undefined
  /** The key of a sandbox, or files that hold keys. */
  keys: { sandboxKey: string } | { files: readonly string[] }
}

/** @returns a line for each thing, one below the other */
export function formatGreeting(greeting: Greeting): string {
  const { version, api, dashboard, keys } = greeting
  const invitation = dashboard?.invitation === undefined ? '' : `  (your invitation is in ${dashboard.invitation})`
  const things: [string, string | undefined][] = [
    ['API', api],
    ['Reference', api && `${api}/docs`],
    ['Dashboard', dashboard && `${dashboard.url}${invitation}`],
    ...operationsLines(greeting),
    ...keyLines(keys),
  ]
  const shown = things.filter(([, where]) => where !== undefined)
  const width = Math.max(...shown.map(([name]) => name.length))
  const lines = shown.map(([name, where]) => `  ${name.padEnd(width)}  ${where}`)
  return `\n  Watchword ${version}\n\n${lines.join('\n')}\n\n`
}

function operationsLines({ operations, metrics }: Greeting): [string, string][] {
  if (metrics === 'closed')
    return [['Operations', `${operations}/readyz  (for /metrics on a shared port, set OPS_TOKEN)`]]
  const token = metrics === 'token' ? '  (asks for the OPS_TOKEN)' : ''
  return [
    ['Operations', `${operations}/metrics${token}`],
    ['Phones', `${operations}/sandbox/messages?phone=%2B14155550100${token}`],
  ]
}

function keyLines(keys: Greeting['keys']): [string, string][] {
  if ('sandboxKey' in keys) return [['Key', `${keys.sandboxKey}  (this sandbox forgets everything when it ends)`]]
  return keys.files.length > 0 ? [['Keys', keys.files.join(', ')]] : []
}

/** Where the link is: in a file, or here for the log; or why FIRST_OWNER is not invited. */
export type FirstInvitation = { file: string } | { link: string; until: Date; isAddressKnown: boolean } | Uninvited

const uninvited: Record<Uninvited, string> = {
  'not needed': 'FIRST_OWNER no longer has an effect: a user can sign in to the dashboard',
  'email taken': 'FIRST_OWNER is not invited: its address is that of a user who is disabled, or of another account',
}

/** Once for each start. The link stands in the text, because some readers of logs show nothing else. */
export function logFirstInvitation(log: Log, invitation: FirstInvitation): void {
  if (typeof invitation === 'string') {
    log[invitation === 'not needed' ? 'info' : 'warn'](uninvited[invitation])
    return
  }
  const lack = 'no user can sign in to the dashboard yet'
  if ('file' in invitation) {
    log.info({ file: invitation.file }, `${lack}: the link for its first owner is in a file`)
    return
  }
  const { link, until, isAddressKnown } = invitation
  const once = `FIRST_OWNER joins with this link, once, until ${until.toISOString()}`
  const address = isAddressKnown ? '' : ' (set PUBLIC_URL or DASHBOARD_URL, so that it has the address of this service)'
  log.warn(`${lack}: ${once}${address}: ${link}`)
}

/** What to write into a browser on this machine for an address that a server listens on. */
export function formatUrl(host: string, port: number): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Where people reach the dashboard, without a slash at the end: the address that is set, or the one that it listens on. */
export function dashboardUrlOf(
  { dashboardUrl, dashboardHost, dashboardShare }: Pick<Config, 'dashboardUrl' | 'dashboardHost' | 'dashboardShare'>,
  port: number,
): string {
  return dashboardUrl ?? formatUrl(dashboardHost, port) + (dashboardShare ? dashboardPath : '')
}
