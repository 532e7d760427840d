/** What a program that is written for Twilio tells of the person who asks for a code. */
import type { components } from '../../../generated/twilio-verify/types.ts'
import { readPersonAddress, type Signals } from '../../domain/sending/signals.ts'
import { Problem } from '../../kit/problem.ts'

type Form = components['schemas']['CreateVerificationForm']

/** @returns undefined where it tells nothing */
export function signalsIn(form: Form): Signals | undefined | Problem<'invalid_request'> {
  const { RiskCheck: check, RateLimits: limits } = form
  const named = limits === undefined ? {} : namedIn(limits)
  if (typeof named === 'string') return faultOf('RateLimits', named)
  const { user_id: userId, device_id: deviceId, end_user_ip_address: limited = '' } = named
  const [device, endUser] = [readPersonAddress(form.DeviceIp ?? ''), readPersonAddress(limited)]
  if (device.fault !== undefined) return faultOf('DeviceIp', device.fault)
  if (endUser.fault !== undefined) return faultOf('RateLimits', `has an end_user_ip_address, which ${endUser.fault}`)
  const trusted = check === 'disable' || undefined
  const signals = { ip: device.ip ?? endUser.ip, userId, deviceId, trusted }
  return Object.values(signals).some((signal) => signal !== undefined) ? signals : undefined
}

/** Characters that an id may have, as in our own contract. */
const idCharactersMax = 128
/** As of `DeviceIp`. */
const addressesCharactersMax = 512

/** What is taken of the values of somebody's own rate limits; for all else, nothing would be done. */
const limitNames = ['end_user_ip_address', 'user_id', 'device_id'] as const

type Named = Partial<Record<(typeof limitNames)[number], string>>

/** @returns or what is wrong */
function namedIn(text: string): Named | string {
  const limits = parsed(text)
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) return 'must be a JSON object'
  const others = Object.keys(limits).filter((name) => !limitNames.some((known) => known === name))
  if (others.length > 0) {
    const shown = others.slice(0, 5).map((name) => (/^\w{1,64}$/.test(name) ? name : 'one of another form'))
    return `has members that nothing goes by here (${shown.join(', ')}): it takes ${limitNames.join(', ')}`
  }
  const { end_user_ip_address: address = '', ...ids }: Record<string, unknown> = { ...limits }
  if (typeof address !== 'string' || address.length > addressesCharactersMax)
    return `must have a text of at most ${addressesCharactersMax} characters as its end_user_ip_address`
  const isGood = Object.values(ids).every((value) => typeof value === 'string' && isShortText(value))
  return isGood ? limits : `must have texts of 1 to ${idCharactersMax} characters in it`
}

function isShortText(id: string): boolean {
  return id.length > 0 && id.length <= idCharactersMax && id.isWellFormed() && !id.includes('\0')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function faultOf(name: string, message: string): Problem<'invalid_request'> {
  return new Problem('invalid_request', { details: [{ field: `/${name}`, code: 'wrong_format', message }] })
}
