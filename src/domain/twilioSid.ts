/** The SIDs by which programs that are written for Twilio name an account, its service and its verifications. */
import { hash } from 'node:crypto'
import { messageIdPrefix } from './sending/messageId.ts'

/** `AC` and 32 hexadecimal digits, always the same for an account. */
export function accountSidOf(accountId: string): string {
  return `AC${digestOf('account', accountId)}`
}

/** `VA` and 32 hexadecimal digits, always the same for an account. */
export function serviceSidOf(accountId: string): string {
  return `VA${digestOf('service', accountId)}`
}

function digestOf(what: string, accountId: string): string {
  return hash('sha256', `twilio ${what} ${accountId}`, 'hex').slice(0, 32)
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Letters of a ULID: the first has 3 of its 128 bits, each other one 5. */
const letters = 26

/** The 128 bits of a message's id, as 32 hexadecimal digits. */
export function toHex(messageId: string): string {
  let value = 0n
  for (const letter of messageId.slice(messageIdPrefix.length)) value = value * 32n + BigInt(alphabet.indexOf(letter))
  return value.toString(16).padStart(32, '0')
}

/** The SID of a verification. */
export function verificationSidOf(messageId: string): string {
  return `VE${toHex(messageId)}`
}

/** @returns undefined for what is no SID of a verification */
export function messageIdIn(sid: string): string | undefined {
  const [, hex] = /^VE([0-9a-f]{32})$/i.exec(sid) ?? []
  if (hex === undefined) return undefined
  let text = ''
  for (let rest = BigInt(`0x${hex}`); text.length < letters; rest /= 32n) text = alphabet[Number(rest % 32n)] + text
  return messageIdPrefix + text
}
