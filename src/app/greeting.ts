/** The first lines that whoever starts a service reads: what there is, and where. */
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
export function greetingOf(greeting: Greeting): string {
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

/** What to write into a browser on this machine for an address that a server listens on. */
export function urlOf(host: string, port: number): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Where people reach the dashboard, without a slash at the end: the address that is set, or the one that it listens on. */
export function dashboardUrlOf(
  { dashboardUrl, dashboardHost, dashboardShare }: Pick<Config, 'dashboardUrl' | 'dashboardHost' | 'dashboardShare'>,
  port: number,
): string {
  return dashboardUrl ?? urlOf(dashboardHost, port) + (dashboardShare ? dashboardPath : '')
}
