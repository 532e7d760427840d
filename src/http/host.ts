/**
 * Whom a request was meant for. A page of another site can have its own name resolve to this machine and then read what a
 * port without keys answers (DNS rebinding), but it cannot change the `Host` that its browser sends.
 */
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'

/** Of a name, as DNS has them, and a port. */
const hostCharactersMax = 253 + ':65535'.length

/** What it needs to know of a request. */
export interface HostedRequest {
  headers: { host?: string | undefined }
  socket: { localAddress?: string | undefined }
}

/**
 * Whether a request's `Host` is of this machine: a loopback name or address, whatever the port; the very address that the
 * connection came in on, which a page of another site is not served under; or one of `names`. A request without one is
 * not, because then nobody can tell.
 *
 * @param names without a port; IPv6 addresses in brackets
 */
export function createHostCheck(names: Iterable<string>): (request: HostedRequest) => boolean {
  const listed = new Set(Array.from(names, (name) => name.toLowerCase()))
  return ({ headers, socket }) => {
    const name = toName(headers.host ?? '')
    return name !== undefined && (isLoopback(name) || name === toAddress(socket) || listed.has(name))
  }
}

/** An address made of the `Host` of a request, which anybody may have written; undefined for what is no host. */
export function toOrigin(scheme: 'http' | 'https', host: string): string | undefined {
  if (host.length > hostCharactersMax || toName(host) === undefined) return undefined
  return new URL(`${scheme}://${host}`).origin
}

const hostForm = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i

/**
 * Whether a request names one host, as HTTP/1.1 demands: another server on its way could take another of two for the one that is
 * meant. HTTP/1.0 knows no `Host`; clients of it may name one.
 */
export function isHosted({
  httpVersion,
  headers: { host },
}: Pick<IncomingMessage, 'httpVersion' | 'headers'>): boolean {
  // Of two, Node makes one with a comma between them.
  if (host !== undefined) return host.length <= hostCharactersMax && hostForm.test(host)
  return httpVersion === '1.0'
}

/** Undefined for what is no host. */
function toName(host: string): string | undefined {
  const [, name] = hostForm.exec(host) ?? []
  // A port can be too great, and a name no name.
  if (!URL.canParse(`http://${host}`)) return undefined
  return name?.toLowerCase().replace(/\.$/, '')
}

function isLoopback(name: string): boolean {
  if (isIPv4(name)) return name.startsWith('127.')
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]'
}

function toAddress({ localAddress = '' }: HostedRequest['socket']): string {
  const address = localAddress.replace(/^::ffff:/, '')
  return isIPv4(address) ? address : `[${address}]`
}
