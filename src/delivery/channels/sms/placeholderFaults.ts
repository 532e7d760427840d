/** What is wrong with the placeholders of a file: each is known, and stands where it may. */
import { isPlaceholder, type Part, partsOf, surelyThere } from './placeholder.ts'
import type { ProviderFile } from './schema.ts'

interface Told {
  path: readonly PropertyKey[]
  fault: string
}

export function placeholderFaults(file: ProviderFile): Told[] {
  const { settings, request, probe, report } = file
  const declared = new Set(Object.keys(settings))
  const told: Told[] = []
  const read = (text: string, path: readonly PropertyKey[]): Part[] => {
    const parts = partsOf(text, declared)
    if (!('fault' in parts)) return parts
    told.push({ path, fault: parts.fault })
    return []
  }
  const readAll = (
    value: unknown,
    path: readonly PropertyKey[],
    look: (text: string, path: readonly PropertyKey[]) => void,
  ): void => {
    if (typeof value === 'string') look(value, path)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) readAll(member, [...path, name], look)
    }
  }
  const anywhere = (text: string, path: readonly PropertyKey[]) => {
    read(text, path)
  }
  /** There is no message: only settings. */
  const withoutMessage = (text: string, path: readonly PropertyKey[]) => {
    const isOfMessage = read(text, path).some((part) => isPlaceholder(part) && part.value !== undefined)
    if (isOfMessage) told.push({ path, fault: 'must have no placeholders but those of settings: there is no message' })
  }
  const asked = [
    { name: 'request', asking: request, look: anywhere },
    ...(probe ? [{ name: 'probe', asking: probe, look: withoutMessage }] : []),
  ]
  for (const { name, asking, look } of asked) {
    readAll({ url: asking.url, headers: asking.headers, auth: asking.auth, body: asking.body }, [name], look)
    const fault = urlFault(read(asking.url, [name, 'url']), settings)
    if (fault !== undefined && !told.some(({ path }) => path.join() === `${name},url`)) {
      told.push({ path: [name, 'url'], fault })
    }
    if (asking.as === 'json' || asking.body === undefined) continue
    for (const [member, value] of Object.entries(asking.body)) {
      const isFlat = [value].flat().every((one) => typeof one !== 'object')
      if (!isFlat)
        told.push({
          path: [name, 'body', member],
          fault: `must be a text or a list of texts: the body is sent as ${asking.as}`,
        })
    }
  }
  if (report && 'key' in report.signature) withoutMessage(report.signature.key, ['report', 'signature', 'key'])
  return [...told, ...settingFaults(file)]
}

/** Only what the operator or the file says may form the place that is asked. */
function urlFault(parts: readonly Part[], settings: ProviderFile['settings']): string | undefined {
  const given = parts.find((part) => isPlaceholder(part) && !isSure(part, settings))
  if (given) return 'must have no placeholder that can be empty'
  const [first] = parts
  if (first === undefined) return 'must be an http or https URL'
  const isWhole = typeof first !== 'string' && first.setting === 'base_url'
  const start = isWhole ? 'https://host' : ''
  const rest = isWhole ? parts.slice(1) : parts
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

function isSure({ value, setting }: Exclude<Part, string>, settings: ProviderFile['settings']): boolean {
  return setting === undefined ? surelyThere.has(value ?? '') : settings[setting]?.optional === false
}

/** Names that every connection of this kind has for something else. */
const taken: ReadonlySet<string> = new Set([
  ...['id', 'kind', 'countries', 'failover_seconds', 'provider', 'provider_file', 'from_by_country', 'reports'],
  ...['per_second', 'report_token'],
])

function settingFaults({ settings }: ProviderFile): Told[] {
  return Object.entries(settings).flatMap(([name, { host, secret }]) => {
    const path = ['settings', name]
    if (taken.has(name)) return [{ path, fault: 'has a name that every connection has for something else' }]
    if (name === 'base_url' && !host) return [{ path, fault: 'must have host: true' }]
    return host && secret ? [{ path, fault: 'must not be both host and secret: a host is shown' }] : []
  })
}
