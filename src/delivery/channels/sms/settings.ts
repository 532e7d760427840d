/** What a connection to a provider of SMS may be configured with: its file says most of it. */
import { z } from 'zod'
import type { Place } from '../../../domain/channels/connectionEntry.ts'
import { faultsOfForm } from '../../../kit/reading/formFaults.ts'
import { schemaWords } from '../../../kit/reading/wrongType.ts'
import { faultOfKey } from '../../../mapping/signatures/signature.ts'
import type { AddressGuard } from '../../../outbound/address.ts'
import { baseUrlForm, baseUrlPlace } from '../baseUrl.ts'
import type { ProviderFile } from './providerFile.ts'
import { placeIn } from './request.ts'
import { findProvider, isPath, ownFileName, shippedNames } from './shipped.ts'
import type { SettingValues } from './template.ts'

export interface SmsSettings {
  file: ProviderFile
  values: SettingValues
  /** Senders by ISO 3166-1 alpha-2 codes, before `from`. */
  fromByCountry: ReadonlyMap<string, string>
  /** How far a `delivered` can be believed. */
  reports: 'handset' | 'carrier' | 'none'
  /** In place of the scheme, host and port of the file; without a slash at the end. */
  baseUrl: string | undefined
  perSecond: number | undefined
}

/** Judges an entry: first its file, then the settings that the file declares. Messages hold no values. */
export function settingsForm(guard: AddressGuard): z.ZodType<SmsSettings> {
  return z
    .looseObject({
      provider: textForm(200),
      provider_file: z.string({ error: 'must be the text of the file' }).optional(),
    })
    .transform((entry, context): SmsSettings => {
      const { provider, provider_file: own, ...members } = entry
      const { file, faults } = findProvider(entry)
      const path = own === undefined && !isPath(provider) ? ['provider'] : ['provider_file']
      for (const message of faults) context.addIssue({ code: 'custom', path, message })
      if (!file) return z.NEVER
      const { data, error } = entryForm(file, guard).safeParse(members, { error: schemaWords })
      for (const { path: place, fault } of faultsOfForm(error, members))
        context.addIssue({ code: 'custom', path: [...place], message: fault })
      return data ?? z.NEVER
    })
}

/** A provider that ships and a file of one's own: which of them is meant, only the one who wrote both can say. */
export function providerFaults({ provider, provider_file: own }: Readonly<Record<string, unknown>>) {
  if (own === undefined || !shippedNames().some((name) => name === provider)) return []
  const fault = `this provider ships with the service: choose ${ownFileName} to use a file of your own, or remove the provider file`
  return [{ path: ['provider'], fault }]
}

/** The settings that may be a list of two, while one is replaced: the first is sent, and a report is good under each. */
export function pairs(file: ProviderFile): ReadonlySet<string> {
  const secret = Object.entries(file.settings).flatMap(([name, setting]) => (setting.secret ? [name] : []))
  return new Set([...secret, ...keySetting(file)])
}

/** The keys of reports; two while one is replaced. */
export function keysOf(file: ProviderFile, values: SettingValues): readonly string[] {
  return keySetting(file).flatMap((name) => values[name] ?? [])
}

/** The setting that signs reports, where one does: the schema lets a key be nothing else. */
export function keySetting({ report }: ProviderFile): string[] {
  const key = report && 'key' in report.signature ? report.signature.key : ''
  return [/^\{\{\s*s\.([a-z0-9_]+)\s*\}\}$/.exec(key)?.[1] ?? []].flat()
}

function entryForm(file: ProviderFile, guard: AddressGuard): z.ZodType<SmsSettings> {
  const listed = pairs(file)
  const own = Object.entries(file.settings).map(([name, { optional, host }]) => {
    const form = host ? hostForm(name, guard) : textForm(4000)
    const value = listed.has(name) ? createPair(form) : form.transform((one) => [one])
    return [name, optional ? value.optional() : value] as const
  })
  const perSecond = 'must be a whole number, 1 to 1000'
  const shape = {
    base_url: baseUrlForm(guard).optional(),
    reports: z.enum(['handset', 'carrier', 'none'], 'must be handset, carrier or none').default('handset'),
    per_second: z.int({ error: perSecond }).min(1, perSecond).max(1000, perSecond).optional(),
    ...('from' in file.settings && { from_by_country: fromForm.optional() }),
    ...Object.fromEntries(own),
  }
  return z.strictObject(shape).transform((entry, context): SmsSettings => {
    const { base_url: given, reports, per_second, from_by_country: from, ...rest } = entry as Entry
    const isOwn = 'base_url' in file.settings
    const values: SettingValues = { ...rest, ...(isOwn && { base_url: [given].flat() as string[] }) }
    for (const message of keyFaults(file, values)) context.addIssue({ code: 'custom', path: keySetting(file), message })
    const baseUrl = isOwn ? undefined : (given as string | undefined)
    for (const fault of placeFaults(file, { values, baseUrl, guard })) context.addIssue({ code: 'custom', ...fault })
    return {
      ...{ file, values, reports, perSecond: per_second, baseUrl },
      fromByCountry: new Map(Object.entries(from ?? {})),
    }
  })
}

type Entry = Pick<SmsSettings, 'reports'> & {
  base_url?: string | string[]
  per_second?: number
  from_by_country?: Record<string, string>
} & Record<string, unknown> &
  Record<never, string[]>

/** Where an entry leads that has a file of its own, or a place in the stead of the file's. A shipped file leads to its provider. */
export function findPlaces(entry: Readonly<Record<string, unknown>>): Place[] {
  const named = baseUrlPlace(entry)
  if (named.length > 0 || entry.provider_file === undefined) return named
  const { file } = findProvider(entry)
  if (!file) return []
  const declared = new Set(Object.keys(file.settings))
  const settings = Object.fromEntries([...declared].map((name) => [name, [entry[name] ?? []].flat().map(String)]))
  const urls = [file.request, file.probe, file.token].flatMap((asking) =>
    asking ? placeIn(asking.url, { declared, settings, baseUrl: undefined }) : [],
  )
  return [...new Set(urls)].map((url) => ({ path: ['provider_file'], url }))
}

interface PlaceParts extends Pick<SmsSettings, 'values' | 'baseUrl'> {
  guard: AddressGuard
}

/** What the file says of where it asks is anybody's word too, and settings can form a place that none of them is by itself. */
function placeFaults({ settings, request, probe, token }: ProviderFile, { values, baseUrl, guard }: PlaceParts) {
  const declared = new Set(Object.keys(settings))
  return Object.entries({ request, probe, token }).flatMap(([name, asking]) => {
    const fault = asking && guard.faultOfUrl(`${placeIn(asking.url, { declared, settings: values, baseUrl })}/`)
    return fault === undefined ? [] : [{ path: ['provider_file'], message: `${name}.url: ${fault}` }]
  })
}

function keyFaults(file: ProviderFile, values: SettingValues): string[] {
  const scheme = file.report?.signature.scheme ?? 'url-token'
  const faults = keysOf(file, values).flatMap((key) => faultOfKey(scheme, key) ?? [])
  return [...new Set(faults)]
}

/** Without control characters: it can stand in a header. */
function textForm(max: number) {
  return z
    .string({
      error: ({ input }) => {
        if (Array.isArray(input)) return 'must have one value'
        return input === undefined ? 'is missing' : 'must be a text, in quotes if it is a number'
      },
    })
    .regex(/^[^\p{Cc}]+$/u, 'must be a text of one line, and not empty')
    .max(max, `must have at most ${max} characters`)
}

function createPair(form: z.ZodType<string>) {
  const error = 'must be a text, or a list of two'
  return z
    .union([form, z.array(form).min(1, error).max(2, error)], {
      error: ({ input }) => (input === undefined ? 'is missing' : error),
    })
    .transform((one) => [one].flat())
}

/** A part of the host, or with `base_url` the place as a whole. */
function hostForm(name: string, guard: AddressGuard) {
  if (name === 'base_url') return baseUrlForm(guard)
  return textForm(253).regex(
    /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/,
    'must be a host name, or a part of one',
  )
}

const countries = 'must be a mapping of two-letter country codes and senders'
const fromForm = z
  .record(z.string().regex(/^[A-Za-z]{2}$/, countries), textForm(100), { error: countries })
  .superRefine((senders, context) => {
    const codes = Object.keys(senders).map((code) => code.toUpperCase())
    for (const [index, code] of codes.entries()) {
      if (codes.indexOf(code) < index) context.addIssue({ code: 'custom', message: `${code} is there twice` })
    }
  })
  .transform((senders) =>
    Object.fromEntries(Object.entries(senders).map(([code, sender]) => [code.toUpperCase(), sender])),
  )
