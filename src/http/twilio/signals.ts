/** What a program that is written for Twilio tells of the person who asks for a code. */
import type { components } from '../../../generated/twilio-verify/types.ts'
import type { Signals } from '../../domain/protection/signals.ts'
import { Problem } from '../../kit/problem.ts'

type Form = components['schemas']['CreateVerificationForm']

/** @returns undefined where it tells nothing */
export function signalsIn(form: Form): Signals | undefined | Problem<'invalid_request'> {
  const { DeviceIp: ip, RiskCheck: check, RateLimits: limits } = form
  const named = limits === undefined ? {} : namedIn(limits)
  if (named === undefined)
    return faultOf('RateLimits', 'must be a JSON object; user_id and device_id in it have up to 128 characters')
  const { user_id: userId, device_id: deviceId } = named
  const trusted = check === 'disable' || undefined
  const signals = { ip, userId, deviceId, trusted }
  return Object.values(signals).some((signal) => signal !== undefined) ? signals : undefined
}

/** Characters that an id may have, as in our own contract. */
const idCharactersMax = 128

/** Undefined for what is no object with such ids. */
function namedIn(text: string): { user_id?: string; device_id?: string } | undefined {
  const limits = parsed(text)
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) return undefined
  const { user_id, device_id } = limits as { user_id?: unknown; device_id?: unknown }
  const isId = (id: unknown) => id === undefined || (typeof id === 'string' && isShortText(id))
  return isId(user_id) && isId(device_id) ? (limits as { user_id?: string; device_id?: string }) : undefined
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
