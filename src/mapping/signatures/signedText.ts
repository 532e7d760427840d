/** What `hmac` and `ed25519` share: the text that is signed is made from the report, as a template in the provider file says. */
import { listAddresses } from './address.ts'
import { isFresh } from './compared.ts'
import { headerMembers } from './headerMembers.ts'
import type { SchemeParts, SettingsOf, SignedRequest } from './signedRequest.ts'

const placeholder = /\{(body|url|(?:header|member):[A-Za-z0-9-]+)\}/

type Template = Pick<SettingsOf<'hmac'>, 'over' | 'timestamp' | 'tolerance' | 'header' | 'member'>

/**
 * @returns the bytes that may be signed: for each of our addresses where that is in the template. None when a header is
 *   missing, or the report is not of these minutes.
 */
export function createSignedText(template: Template, { publicUrl, now }: Omit<SchemeParts, 'keys'>) {
  const { timestamp, tolerance: toleranceSeconds, header } = template
  // A split by a form with one group gives text, name, text, and so on.
  const parts = template.over.split(placeholder).map((text, place) => ({ text, isText: place % 2 === 0 }))
  const hasAddress = parts.some(({ text, isText }) => !isText && text === 'url')

  const memberOf = (headers: SignedRequest['headers'], name: string) => headerMembers(headers[header], name)[0]

  const filled = ({ body, headers }: SignedRequest, address: string): Buffer | undefined => {
    const values = parts.map(({ text, isText }) => {
      if (isText) return Buffer.from(text)
      if (text === 'body') return body
      const [kind, name = ''] = text.toLowerCase().split(':')
      const value = kind === 'url' ? address : kind === 'header' ? headers[name] : memberOf(headers, name)
      return value === undefined ? undefined : Buffer.from(value)
    })
    const whole = values.filter((value) => value !== undefined)
    return whole.length === values.length ? Buffer.concat(whole) : undefined
  }

  return (report: SignedRequest): Buffer[] => {
    const { headers, target } = report
    if (timestamp !== undefined && !isFresh(readSignedTime(template, headers), { toleranceSeconds, now: now() }))
      return []
    const addresses = hasAddress ? listAddresses(publicUrl, target) : ['']
    return addresses.flatMap((address) => filled(report, address) ?? [])
  }
}

/** @returns the time that a report has in its headers, as it stands there; undefined where none is asked for */
export function readSignedTime(
  { timestamp, header, member }: Pick<Template, 'timestamp' | 'header' | 'member'>,
  headers: SignedRequest['headers'],
): string | undefined {
  if (timestamp === undefined) return undefined
  return member === undefined ? headers[timestamp] : headerMembers(headers[header], timestamp)[0]
}
