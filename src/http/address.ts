/** Who is at the other end, as far as an address tells. */
import { isIPv6 } from 'node:net'

/**
 * What one caller has to himself: an IPv4 address, or the first 64 bits of an IPv6 one, of which a household is given at
 * least as many.
 *
 * @param address as `socket.remoteAddress` has it; undefined once the connection is gone
 */
export function networkOf(address: string | undefined): string {
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

function groupsOf(part = ''): string[] {
  return part === '' ? [] : part.split(':')
}
