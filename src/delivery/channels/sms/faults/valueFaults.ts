/** What is wrong with the settings that somebody enters for a provider, by what its file says they look like. */
import type { PlacedFault } from '../../../../kit/reading/formFaults.ts'
import type { ProviderFile } from '../providerFile.ts'
import { findProvider } from '../shipped.ts'

type Entry = Readonly<Record<string, unknown>>
type Setting = ProviderFile['settings'][string]

/**
 * Asked of what is entered, and not of what is kept: a connection that works goes on, whatever a later file says.
 *
 * @returns nothing for an entry whose file cannot be read: that is told by itself
 */
export function valueFaults(entry: Entry): PlacedFault[] {
  if (typeof entry.provider !== 'string') return []
  const { file } = findProvider(entry as Parameters<typeof findProvider>[0])
  if (!file) return []
  const ofSettings = Object.entries(file.settings).flatMap(([name, setting]) =>
    [entry[name] ?? []].flat().flatMap((value) => {
      const fault = typeof value === 'string' ? findFault(value, setting) : undefined
      return fault === undefined ? [] : [{ path: [name], fault }]
    }),
  )
  const told = [...ofSettings, ...needFaults(file.settings, entry)]
  const { one_of: some = [] } = file
  const hasOne = some.length === 0 || some.some((name) => isGiven(entry[name]))
  const countries = entry.from_by_country
  // Each sender of a country stands for `from` there, but other countries have none then.
  const hint = countries === undefined ? '' : ', for countries that from_by_country leaves out'
  return hasOne ? told : [...told, { path: [some[0]!], fault: `is missing: ${some.join(' or ')} is needed${hint}` }]
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Settings without the one that goes with them. */
function needFaults(settings: ProviderFile['settings'], entry: Entry): PlacedFault[] {
  return Object.entries(settings).flatMap(([name, { needs, name_needs }]) => {
    const value = entry[name]
    const isName = typeof value === 'string' && /[A-Za-z]/.test(value)
    const [missing] = [needs, isName ? name_needs : undefined].filter(
      (one) => one !== undefined && !isGiven(entry[one]),
    )
    if (missing === undefined || !isGiven(value)) return []
    return [{ path: [missing], fault: `is missing: ${missing === needs ? name : `a name in ${name}`} needs it` }]
  })
}

function findFault(value: string, { begins = [], length, of, values }: Setting): string | undefined {
  if (values !== undefined) return values.includes(value) ? undefined : `must be ${either(values)}`
  const starts = [begins].flat()
  const start = starts.find((one) => value.startsWith(one)) ?? ''
  const isGood =
    (starts.length === 0 || start !== '') &&
    (length === undefined || value.length === length) &&
    (of === undefined || forms[of].form.test(value.slice(start.length)))
  if (isGood) return undefined
  const parts = [
    starts.length === 0 ? [] : `begin with ${either(starts)}`,
    length === undefined ? [] : `have ${length} characters`,
    of === undefined ? [] : forms[of].words,
  ].flat()
  return `must ${parts.join(', and ')}`
}

function either(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
}

const forms = {
  hex: { form: /^[0-9A-Fa-f]+$/, words: 'have hexadecimal digits alone behind that' },
  digits: { form: /^[0-9]+$/, words: 'be digits alone' },
  word: { form: /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, words: 'be letters, digits and - alone' },
  phone: { form: /^\+[1-9][0-9]{5,14}$/, words: 'be a number in E.164 form, with its plus, like +15005550006' },
  sender: {
    form: /^(\+[1-9][0-9]{5,14}|[0-9]{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 _&+-]{1,11})$/,
    words:
      'be a number in E.164 form, with its plus, like +15005550006; or a short code of 3 to 8 digits; or a name of 1 to 11 letters and digits, with a letter',
  },
  any_sender: {
    form: /^(\+?[1-9][0-9]{5,14}|[0-9]{3,8}|(?=.*[A-Za-z])[ -~]{1,11})$/,
    words:
      'be a number with its country code, like 15005550006; or a short code of 3 to 8 digits; or a name of 1 to 11 characters, with a letter',
  },
} as const satisfies Record<NonNullable<Setting['of']>, { form: RegExp; words: string }>
