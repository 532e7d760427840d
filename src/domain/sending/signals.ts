/**
 * What an application knows of the person who asks for a code. It is judged when the code is sent; what is kept of it names
 * nobody: keyed hashes, which each account has its own of.
 */
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Problem } from '../../kit/problem.ts'
import type { KeptSignals } from '../../store/schema/schema.ts'
import { computeHmac } from '../access/hmac.ts'

/** As a caller gives them; each may be left out. */
export interface Signals {
  /** As a proxy wrote it: `readSignals` makes one address of it. */
  ip?: string | undefined
  userId?: string | undefined
  deviceId?: string | undefined
  userAgent?: string | undefined
  platform?: string | undefined
  appVersion?: string | undefined
  /** The application knows by other means that the person is real. */
  trusted?: boolean | undefined
  captcha?: Captcha | undefined
}

interface Captcha {
  provider?: string | undefined
  /** From 0 to 1, where 1 is a person; left out by providers that say only yes, or no. */
  score?: number | undefined
}

/** From this score on, somebody has solved a captcha: the middle, which providers advise to begin with. */
const captchaScoreMin = 0.5
/** Of a hash that is kept: enough that no two meet by chance. */
const keptBytes = 16
/** Bits of an address that name its network. */
const networkBits = { ipv4: 24, ipv6: 48 }

/**
 * Reads the address in signals, and leaves it out where none is given.
 *
 * @returns or why they are refused
 */
export function readSignals(signals: Signals | undefined): Signals | undefined | Problem<'invalid_request'> {
  if (signals?.ip === undefined) return signals
  const { ip, fault } = readPersonAddress(signals.ip)
  if (fault === undefined) return { ...signals, ip }
  return new Problem('invalid_request', { details: [{ field: '/signals/ip', code: 'wrong_format', message: fault }] })
}

/**
 * Reads what a proxy wrote of where a request came from: an address, or the list of `X-Forwarded-For`, to whose end each proxy adds
 * one. What is no address in such a list, anybody may have put there.
 *
 * @returns the first public address, or the first one; no `ip` where the text says that there is none; or a fault, as the end of a
 *   sentence
 */
export function readPersonAddress(
  text: string,
): { ip?: string | undefined; fault?: undefined } | { ip?: undefined; fault: string } {
  const entries = text.split(',').map((entry) => entry.trim())
  const addresses = entries.flatMap((entry) => readAddress(entry) ?? [])
  const found = addresses.find(isPublic) ?? addresses[0]
  if (found) return { ip: found.toString() }
  if (entries.every((entry) => notGiven.has(entry.toLowerCase()))) return {}
  return {
    fault: 'must be an IPv4 or an IPv6 address, like 203.0.113.7 or 2001:db8::1; a port may follow it, or more of them',
  }
}

/** What proxies and libraries write where they know no address (RFC 7239 has `unknown`). */
const notGiven: ReadonlySet<string> = new Set(['', '-', 'unknown'])

/** Of hosts and networks behind a proxy. Those of documentation are not among them: they stand for public ones. */
const insideRanges: ReadonlySet<string> = new Set([
  'unspecified',
  'loopback',
  'linkLocal',
  'private',
  'carrierGradeNat',
  'uniqueLocal',
])

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !insideRanges.has(address.range())
}

/** With a port, as proxies and servers write where a request came from; an IPv6 address is in brackets then. */
const withPort = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>[\d.]+))(?::(?<port>\d{1,5}))?$/i
const portMax = 65_535

/**
 * The address without its port; an IPv4 address that is written as IPv6 is that IPv4 address. `1.2.3`, `16909060` and `010.1.1.1`
 * are none: programs read them differently.
 *
 * @returns undefined for what is no address
 */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const { v4, v6, port = '0' } = withPort.exec(text)?.groups ?? {}
  const bare = v6 ?? v4 ?? text
  if (isIP(bare) === 0 || (v6 !== undefined && isIP(v6) !== 6) || Number(port) > portMax) return undefined
  return ipaddr.process(bare)
}

/** Whether somebody has solved the captcha. */
export function isSolved({ provider, score }: Captcha): boolean {
  return score === undefined ? provider !== undefined : score >= captchaScoreMin
}

interface SignalsToKeep {
  accountId: string
  signals: Signals | undefined
  ownCode: boolean
  unchecked: boolean
}

/**
 * What is kept with a message.
 *
 * @param key stays the same when secrets are rotated
 * @param ownCode whether the caller made the code
 * @param unchecked whether the code is checked elsewhere, by the system that made it
 * @returns undefined when nothing was given
 */
export function toKeptSignals(
  key: KeyObject,
  { accountId, signals = {}, ownCode, unchecked }: SignalsToKeep,
): KeptSignals | undefined {
  const { ip, userId, deviceId, userAgent, platform, appVersion, trusted, captcha } = signals
  const hash = (what: string, ...parts: string[]) =>
    computeHmac(key, ['signal', accountId, what, ...parts]).toString('base64url', 0, keptBytes)
  const address = ip === undefined ? undefined : readAddress(ip)
  const program = [userAgent, platform, appVersion]
  const kept: KeptSignals = {
    ...(address && { ip: hash('ip', address.toNormalizedString()), network: hash('network', networkAround(address)) }),
    ...(userId !== undefined && { user: hash('user', userId) }),
    ...(deviceId !== undefined && { device: hash('device', deviceId) }),
    ...(program.some((part) => part !== undefined) && {
      program: hash('program', ...program.map((part) => part ?? '')),
    }),
    ...(trusted && { trusted }),
    ...(captcha && isSolved(captcha) && { captcha: true as const }),
    ...(ownCode && { ownCode }),
    ...(unchecked && { unchecked }),
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one. */
function networkAround(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const bits = networkBits[address.kind()]
  const bytes = address.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}
