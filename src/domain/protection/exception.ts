/** Whom a rule does not look at. */
import ipaddr from 'ipaddr.js'
import { listPhoneForms } from '../sending/phoneForm.ts'
import { readAddress } from '../sending/signals.ts'
import type { JudgedSend } from './counter.ts'
import { isCounting, type ProtectionRule } from './rule.ts'

export function isExcepted(rule: ProtectionRule, send: JudgedSend): boolean {
  if (rule.only && !rule.only.countries.includes(send.country ?? '')) return true
  if (send.wasVerified && sparesVerified(rule)) return true
  const { countries, networks, phones } = rule.except ?? {}
  return (
    (countries?.includes(send.country ?? '') ?? false) ||
    (phones !== undefined && listPhoneForms(send.phone).some((form) => phones.some((one) => isLike(one, form)))) ||
    (networks !== undefined && send.address !== undefined && isIn(networks, send.address))
  )
}

/** Whether it lets a phone pass on which a code was right before: that is the number of a person. */
export function sparesVerified(rule: ProtectionRule): boolean {
  return isCounting(rule) && (rule.by === 'country' || rule.by === 'prefix')
}

function isLike(pattern: string, phone: string): boolean {
  return pattern.endsWith('*') ? phone.startsWith(pattern.slice(0, -1)) : phone === pattern
}

function isIn(networks: readonly string[], text: string): boolean {
  const address = readAddress(text)
  if (!address) return false
  return toRanges(networks).some(
    ([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as never),
  )
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** Of the lists in force. Fifty rules may name fifty networks each, and to read one takes longer than to compare it. */
const readRanges = new WeakMap<readonly string[], Range[]>()

function toRanges(networks: readonly string[]): Range[] {
  const known = readRanges.get(networks)
  if (known) return known
  const ranges = networks.map((network) => ipaddr.parseCIDR(network))
  readRanges.set(networks, ranges)
  return ranges
}
