/** The body of a post as a value: JSON or a form, in the charset that the post names. */
import { escapePointer } from '../kit/problem.ts'
import { readMediaType } from '../kit/reading/mediaType.ts'
import { repeatedMembers } from '../kit/reading/repeatedMembers.ts'
import { decodeBody, isUtf8Name } from '../kit/reading/utf8.ts'

export type ReadBody =
  /** @property repeated pointers to members that come more than once */
  { value: object; repeated: readonly string[]; lacks?: never } | { value?: never; repeated?: never; lacks: string }

/** More than any auth system sends. */
const parametersMax = 500

/** @param contentType as it was sent @returns or what the body lacks; nothing of it but a byte that is no text */
export function readBody(asForm: boolean, contentType: string | undefined, bytes: Uint8Array): ReadBody {
  const { charset = 'utf-8' } = readMediaType(contentType)
  const decode = findDecoder(charset)
  // A form is ASCII around what is percent-encoded.
  if (!decode || (asForm && charset.startsWith('utf-16'))) return { lacks: 'a charset that is known here' }
  return asForm ? readForm(bytes, decode) : readJson(bytes, decode)
}

type Decode = (bytes: Uint8Array) => { text: string; fault?: never } | { text?: never; fault: string }

/** @returns undefined for a charset that the WHATWG's standard does not have */
function findDecoder(charset: string): Decode | undefined {
  if (isUtf8Name(charset)) return decodeBody
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return (bytes) => {
      try {
        return { text: decoder.decode(bytes) }
      } catch {
        return { fault: 'it is not in the charset that it names' }
      }
    }
  } catch {
    return undefined
  }
}

function readJson(bytes: Uint8Array, decode: Decode): ReadBody {
  const { text, fault } = decode(bytes)
  if (fault !== undefined) return { lacks: `JSON in UTF-8 (${fault})` }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return { lacks: 'JSON' }
    return { value, repeated: repeatedMembers(text, value) }
  } catch {
    return { lacks: 'JSON' }
  }
}

/** Of names that come more than once, it is not known which value is meant. */
function readForm(bytes: Uint8Array, decode: Decode): ReadBody {
  const parts = Buffer.from(bytes)
    .toString('latin1')
    .split('&', parametersMax + 1)
  if (parts.length > parametersMax) return { lacks: `a form of at most ${parametersMax} fields` }
  const value: Record<string, string> = Object.create(null)
  const repeated = new Set<string>()
  for (const part of parts.filter((one) => one !== '')) {
    const sign = part.indexOf('=')
    const [name, text] = [sign === -1 ? part : part.slice(0, sign), sign === -1 ? '' : part.slice(sign + 1)].map(
      (one) => decode(unescaped(one)),
    )
    const fault = name!.fault ?? text!.fault
    if (fault !== undefined) return { lacks: `a form in UTF-8 (in a field, ${fault})` }
    if (Object.hasOwn(value, name!.text!)) repeated.add(name!.text!)
    else value[name!.text!] = text!.text!
  }
  return { value, repeated: [...repeated].map((name) => `/${escapePointer(name)}`) }
}

/** @param text a character for each byte @returns the bytes that it stands for; in a form, a plus sign is a space */
function unescaped(text: string): Buffer {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
