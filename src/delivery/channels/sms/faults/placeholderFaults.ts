/** What is wrong with the placeholders of a file: each is known, and stands where it may. */
import type { PlacedFault } from '../../../../kit/reading/formFaults.ts'
import { xmlFaults } from '../../../../mapping/xml.ts'
import { filterBy, isOfType } from '../filters.ts'
import {
  isPlaceholder,
  ofRequest,
  type Placeholder,
  splitTextParts,
  surelyThere,
  type TextPart,
} from '../placeholder.ts'
import { signsBody } from '../request.ts'
import type { ProviderFile } from '../schema.ts'
import { type Members, membersOf } from './members.ts'

type Path = PlacedFault['path']
type Settings = ProviderFile['settings']

/**
 * @param value of the whole file, in which other things may be wrong
 * @param settings undefined where something is wrong with them: then the places of URLs cannot be judged
 */
export function placeholderFaults(value: unknown, settings: Settings | undefined): PlacedFault[] {
  const file = membersOf(value)
  const declared = new Set(Object.keys(settings ?? membersOf(file.settings)))
  const { key: reportKey } = membersOf(membersOf(file.report).signature)
  const asked = [
    ...(['request', 'probe', 'token'] as const).map((name) => ({
      name,
      asking: withForm(membersOf(file[name]), name),
    })),
    // Whether it is a setting at all, its form says.
    { name: 'report' as const, asking: membersOf(/^\{\{\s*s\./.test(String(reportKey)) ? { url: reportKey } : {}) },
  ]
  return asked.flatMap(({ name, asking }) => {
    const { url, headers, auth, body } = asking
    const { over, key } = membersOf(asking.sign)
    const { only } = membersOf(asking.heartbeat)
    const texts = textsIn({ url, headers, auth, body, sign: { over, key }, heartbeat: { only } }, [name])
    const told = texts.flatMap(({ text, path }): PlacedFault[] => {
      const parts = splitTextParts(text, declared)
      if ('fault' in parts) return [{ path, fault: parts.fault }]
      const fault = nameFault(parts, path, { asking, file }) ?? placeFault(parts, path, { asking, settings })
      return fault === undefined ? [] : [{ path, fault }]
    })
    return [...told, ...flatFaults(asking, name), ...signFaults(asking, name)].map(inReport)
  })
}

/** Where it does not say how its body is written, as it is then. */
function withForm(asking: Members, name: string): Members {
  return { ...asking, as: asking.as ?? (name === 'token' ? 'form' : 'json') }
}

/** What a placeholder stands for has to be there. */
function nameFault(
  parts: readonly TextPart[],
  [name, place, member]: Path,
  { asking: { sign, body }, file }: { asking: Members; file: Members },
): string | undefined {
  const names = new Set(parts.filter(isPlaceholder).flatMap(({ value }) => value ?? []))
  const isOfMessage = [...names].some((one) => !ofRequest.has(one))
  if (isOfMessage && (name !== 'request' || member === 'key'))
    return 'must have no placeholders but those of settings: there is no message'
  if (names.has('token') && (file.token === undefined || name === 'token'))
    return 'has token where there is none: say how it is fetched, beside request'
  const isSigned = place === 'sign'
  if (names.has('body') && (!isSigned || body === undefined))
    return 'has body where there is none: it is for what is signed, where the request has a body'
  const isInSigned = isSigned || (place === 'body' && signsBody({ over: String(membersOf(sign).over) }))
  if (names.has('signature') && (sign === undefined || isInSigned))
    return 'has signature where there is none: say sign, and let it not sign itself'
  return undefined
}

function placeFault(
  parts: readonly TextPart[],
  path: Path,
  { asking, settings }: { asking: Members; settings: Settings | undefined },
): string | undefined {
  const isUrl = path.length === 2 && path[1] === 'url' && path[0] !== 'report' && settings
  const placed = isUrl ? urlFault(parts, settings) : headerFault(parts, path)
  return placed ?? (settings && typeFault(parts, path, { asking, settings }))
}

/** Its form is judged before. */
function signFaults({ sign, url, headers, auth, body }: Members, name: string): PlacedFault[] {
  const { scheme, over, key, into } = membersOf(sign)
  if (sign === undefined) return []
  const isUsed = into !== undefined || /\{\{\s*signature[\s|}]/.test(JSON.stringify({ url, headers, auth, body }))
  const told = (member: string, fault: string) => [{ path: [name, 'sign', member], fault }]
  return [
    ...(isUsed
      ? []
      : [{ path: [name, 'sign'], fault: 'must be sent: name a header with into, or write {{signature}}' }]),
    ...(scheme === 'hmac-sha256' && key === undefined ? told('key', 'is missing') : []),
    ...(['sha256', 'sha1', 'md5'].includes(String(scheme)) && key !== undefined
      ? told('key', 'is for hmac-sha256: write the secret in over')
      : []),
    ...(typeof key === 'string' && !key.includes('{{')
      ? told('key', 'must have a setting, like {{s.secret}}: a file keeps no secret')
      : []),
    ...(/(?<!\{)\{\w+\}(?!\})/.test(String(over)) ? told('over', 'has one brace where a placeholder has two') : []),
  ]
}

/** The key of a signature is judged as an address is, and stands elsewhere. */
function inReport({ path, fault }: PlacedFault): PlacedFault {
  return { path: path[0] === 'report' ? ['report', 'signature', 'key'] : path, fault }
}

function flatFaults({ as, body }: Members, name: string): PlacedFault[] {
  if (typeof body !== 'object' || body === null) return []
  if (as === 'xml') return xmlFaults(body).map(({ path, fault }) => ({ path: [name, 'body', ...path], fault }))
  if (as !== 'form' && as !== 'query') return []
  const whole = `must be a mapping: the body is sent as ${as}`
  if (Array.isArray(body)) return [{ path: [name, 'body'], fault: whole }]
  return Object.entries(membersOf(body)).flatMap(([member, value]) => {
    const isFlat = [value].flat().every((one) => typeof one !== 'object')
    const fault = `must be a text or a list of texts: the body is sent as ${as}`
    return isFlat ? [] : [{ path: [name, 'body', member], fault }]
  })
}

function textsIn(value: unknown, path: Path): { text: string; path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]))
}

function headerFault(parts: readonly TextPart[], path: Path): string | undefined {
  const isWhole = path[1] !== 'headers' || parts.every((part) => isPlaceholder(part) || /^[\t\x20-\x7e]*$/.test(part))
  return isWhole ? undefined : 'must have no line ends, control characters and letters beyond ASCII'
}

/** `as` stands where JSON has types, and behind what surely has that one, or is judged for each message. */
function typeFault(
  parts: readonly TextPart[],
  path: Path,
  { asking, settings }: { asking: Members; settings: Settings },
): string | undefined {
  const placeholder = parts.filter(isPlaceholder).find(({ filters }) => filters.at(-1)?.name === 'as')
  if (!placeholder) return undefined
  if (path[1] !== 'body' || ['form', 'query', 'xml'].includes(String(asking.as)))
    return 'has as where there are no types: it is for JSON'
  if (parts.length > 1) return 'has as beside other text: the whole is a text then'
  const [type = ''] = placeholder.filters.at(-1)?.words ?? []
  return canBe(type, placeholder, settings) ? undefined : `has as:${type} behind what can be no ${type}`
}

/** A number without its trunk prefix begins with 0 in a few countries, and is none there: such a message is not sent so. */
const numbers: ReadonlySet<string> = new Set([
  ...['ttl', 'ttl|minutes', 'ttl_ms', 'segments', 'to|digits', 'to|calling_code', 'to|significant'],
])

function canBe(type: string, { value, setting, filters }: Placeholder, settings: Settings): boolean {
  const before = filters.slice(0, -1)
  const last = before.at(-1)
  if (last?.name === 'encoding') return last.words.length > 0 && last.words.every((word) => isOfType(word, type))
  if (last?.name === 'unix') return type === 'number'
  if (setting !== undefined) {
    const { values, of } = settings[setting] ?? {}
    if (before.length > 0) return type === 'number' && last?.name === 'digits'
    return values ? values.every((one) => isOfType(one, type)) : type === 'number' && of === 'digits'
  }
  if (value?.startsWith('variables.')) return before.length === 0
  return type === 'number' && numbers.has([value, ...before.map(({ name }) => name)].join('|'))
}

/** Only what the operator or the file says may form the place that is asked. */
function urlFault(parts: readonly TextPart[], settings: Settings): string | undefined {
  // A URL loses some of these when it is read, and reads others as "/": its place would be another one than it seems.
  if (parts.some((part) => typeof part === 'string' && /[\s\\\p{C}]/u.test(part)))
    return 'must have no spaces, control characters and backslashes'
  const given = parts.find((part) => isPlaceholder(part) && !isSure(part, settings))
  if (given) return 'must have no placeholder that can be empty'
  const [first] = parts
  if (first === undefined) return 'must be an http or https URL'
  const isWhole = typeof first !== 'string' && first.setting === 'base_url' && first.filters.length === 0
  const start = isWhole ? 'https://host' : ''
  const rest = isWhole ? parts.slice(1) : parts
  if (rest.some((part) => isPlaceholder(part) && part.setting === 'base_url'))
    return 'must begin with {{s.base_url}}, without a filter, where it has that'
  // Each placeholder as a letter: where the place ends is seen by the text around it.
  const text = start + rest.map((part) => (typeof part === 'string' ? part : '\u0001')).join('')
  const [, place, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  if (place === undefined || place === '') return 'must be an http or https URL'
  if (isWhole && place !== 'host') return 'must go on with "/" behind {{s.base_url}}'
  if (place.includes('@')) return 'must hold no user and no password'
  const placesCount = place.split('\u0001').length - 1
  const inPlace = rest.filter(isPlaceholder).slice(0, placesCount)
  const isOpen = inPlace.every(
    ({ setting, filters }) => setting !== undefined && settings[setting]?.host === true && filters.length === 0,
  )
  if (!isOpen) return 'must have no placeholder in the host or port but of a setting with host: true'
  return URL.canParse(`https://${place.replaceAll('\u0001', 'a')}${path.replaceAll('\u0001', 'a')}`)
    ? undefined
    : 'must be an http or https URL'
}

function isSure({ value, setting, filters }: Placeholder, settings: Settings): boolean {
  if (filters.some(({ name }) => filterBy(name).isChoosy)) return false
  return setting === undefined ? surelyThere.has(value ?? '') : settings[setting]?.optional === false
}

/** Names that every connection of this kind has for something else. */
const taken: ReadonlySet<string> = new Set([
  ...['id', 'kind', 'countries', 'failover_seconds', 'provider', 'provider_file', 'from_by_country', 'reports'],
  ...['per_second', 'per_minute', 'per_hour', 'per_day', 'spread', 'report_token'],
])

export function settingFaults(settings: Settings): PlacedFault[] {
  return Object.entries(settings).flatMap(([name, { host, secret }]) => {
    const path = ['settings', name]
    if (taken.has(name)) return [{ path, fault: 'has a name that every connection has for something else' }]
    if (name === 'base_url' && !host) return [{ path, fault: 'must have host: true' }]
    return host && secret ? [{ path, fault: 'must not be both host and secret: a host is shown' }] : []
  })
}
