/** Addresses of mail, by which people sign in. Nothing is sent to them. */
import { hash } from 'node:crypto'
import { refusedMember } from '../../kit/refusal.ts'
import { nameKey } from '../access/name.ts'

const lengthMax = 254
/** One `@` between what can be seen, and nothing that stands around addresses: whether it is reached, only mail would tell. */
const form = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"'.]+(\.[^\s@<>()[\]\\,;:"'.]+)+$/u
const unseenEnds = /^[\p{C}\p{Z}]+|[\p{C}\p{Z}]+$/gu
const hidden = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** @returns the address as it is kept @throws Refusal */
export function requireEmail(text: string): string {
  const email = parseEmail(text)
  if (email === undefined) throw refusedMember('email', 'An email address looks like ada@example.com.')
  return email
}

/** The same of what a person pastes: a link, an entry of an address book, the end of a list. @throws Refusal */
export function requireTypedEmail(text: string): string {
  return requireEmail(bareEmail(text))
}

/** @returns what is left of `mailto:ada@x.com`, `Ada <ada@x.com>` or `ada@x.com,` */
export function bareEmail(text: string): string {
  const plain = text.normalize('NFKC').replace(unseenEnds, '').replace(/[,;]$/, '')
  const [, address = plain] = /^[^<>]*<([^<>]+)>$/.exec(plain) ?? /^(["'])(.+)\1$/.exec(plain)?.slice(1) ?? []
  return address.replace(/^mailto:([^?]*).*$/i, '$1').trim()
}

/** @returns the address as it is kept; undefined for what is none */
export function parseEmail(text: string): string | undefined {
  const email = text.normalize('NFC').trim()
  return email.length > lengthMax || !form.test(email) || hidden.test(email) ? undefined : email
}

/** The same for addresses that differ in nothing but case and forms of the same letters. */
export function emailKey(text: string): string {
  return nameKey(text)
}

/** What stands for an address where it is of no account, known or not. In base64. */
export function emailHash(key: string): string {
  return hash('sha256', key, 'base64')
}
