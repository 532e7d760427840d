/** Who is at the other end, as far as an address tells. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

/**
 * What one caller has to himself: an IPv4 address, or the first 64 bits of an IPv6 one, of which a household is given at
 * least as many.
 *
 * @param address as `socket.remoteAddress` has it; undefined once the connection is gone
 */
export function toNetwork(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [front = '', back] = address.split('%', 1)[0]?.split('::') ?? []
  const [before, after] = [groupsOf(front), groupsOf(back)]
  const zeros = Array<string>(Math.max(0, back === undefined ? 0 : 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}

/**
 * Where a request came from, as far as the proxies before us are believed: each adds whom it was asked by to the end of
 * `X-Forwarded-For`, and what stands before that, anybody may have written.
 *
 * @param proxies how many there are before us; none is believed when it is 0
 */
export function findSender({ headers, socket }: Sent, proxies: number): string | undefined {
  const told = headers['x-forwarded-for']
  const list = [told ?? ''].flat().join(',').split(',')
  const named = proxies === 0 ? undefined : withoutPort(list.at(-proxies)?.trim())
  return named !== undefined && isIP(named) !== 0 ? named : socket.remoteAddress
}

/** Azure's Application Gateway names the port too, as in `203.0.113.7:51324` and `[2001:db8::1]:51324` (RFC 7239, section 6). */
function withoutPort(named: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(named ?? '') ?? []
  return bracketed ?? plain ?? named
}

/** What it needs to know of a request. */
interface Sent {
  headers: IncomingHttpHeaders
  socket: { remoteAddress?: string | undefined }
}

function groupsOf(part = ''): string[] {
  return part === '' ? [] : part.split(':')
}
