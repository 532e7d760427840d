/** What placeholders make of a value: each filter of `{{name|filter}}` is one entry here. */
import { findNationalDigits, splitNumber } from '../../../domain/sending/numberingPlan.ts'
import { countSegments } from '../../../domain/sending/wordings/segments.ts'

interface Filter {
  /** The words behind its name, as in `encoding:text,unicode`; without it, there are none. With `''`, none may be said. */
  words?: 'two of your own' | readonly string[]
  /** The only names that it can stand behind. */
  only?: readonly string[]
  /** It can leave nothing of what there is: each is for texts of one encoding. */
  isChoosy?: true
  /** @returns undefined takes the member away. @throws UnfitValue */
  make: (words: readonly string[]) => (value: unknown) => unknown
}

/** A value of the message that a file wants as something that it is not: then nothing is sent. */
export class UnfitValue extends Error {}

const ofText = (make: (text: string) => unknown) => () => (value: unknown) => make(textOfFilled(value))
const times = ['expires_at', 'time'] as const

export const filters = {
  digits: { make: ofText((text) => text.replace(/\D/g, '')) },
  json: { make: () => (value) => JSON.stringify(value) },
  base64: { make: ofText((text) => Buffer.from(text).toString('base64')) },
  encoding: {
    words: 'two of your own',
    make: ([gsm7 = 'gsm7', ucs2 = 'ucs2']) => ofText((text) => (isGsm7(text) ? gsm7 : ucs2))(),
  },
  iso: {
    only: times,
    words: ['', 'seconds'],
    make: ([to = '']) => {
      const written = (value: unknown) => (typeof value === 'number' ? new Date(value * 1000).toISOString() : value)
      return to === '' ? written : (value) => textOfFilled(written(value)).replace(/\.\d+/, '')
    },
  },
  unix: {
    only: times,
    make: () => (value) => (typeof value === 'number' ? value : Math.floor(Date.parse(textOfFilled(value)) / 1000)),
  },
  minutes: { only: ['ttl'], make: () => (value) => (typeof value === 'number' ? Math.ceil(value / 60) : value) },
  upper: { make: ofText((text) => text.toUpperCase()) },
  hex: { make: ofText((text) => Buffer.from(text).toString('hex')) },
  gsm7: { isChoosy: true, make: ofText((text) => (isGsm7(text) ? text : undefined)) },
  ucs2: { isChoosy: true, make: ofText((text) => (isGsm7(text) ? undefined : ucs2Of(text))) },
  national: { only: ['to'], make: ofText((phone) => surely(findNationalDigits(phone))) },
  significant: { only: ['to'], make: ofText((phone) => surely(splitNumber(phone)).significant) },
  calling_code: { only: ['to'], make: ofText((phone) => surely(splitNumber(phone)).callingCode) },
  as: {
    words: ['boolean', 'number'],
    make:
      ([type = '']) =>
      (value) =>
        typed(textOfFilled(value), type),
  },
} as const satisfies Readonly<Record<string, Filter>>

export type FilterName = keyof typeof filters

export const filterNames = Object.keys(filters) as readonly FilterName[]

/** The same table, for what a filter does not have. */
export function filterBy(name: FilterName): Filter {
  return filters[name]
}

/** @returns whether JSON can have that text as its type; a number must be written as JSON writes it, so a leading zero is none */
export function isOfType(text: string, type: string): boolean {
  return type === 'boolean' ? text === 'true' || text === 'false' : String(Number(text)) === text && text !== 'NaN'
}

export function textOfFilled(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function typed(text: string, type: string): boolean | number {
  if (!isOfType(text, type) || text.endsWith('Infinity')) throw new UnfitValue(`a value is no ${type}`)
  return type === 'boolean' ? text === 'true' : Number(text)
}

function surely<Form>(form: Form | undefined): Form {
  if (form === undefined) throw new UnfitValue('the phone is in no numbering plan')
  return form
}

function isGsm7(text: string): boolean {
  return countSegments(text).encoding === 'gsm7'
}

/** In hex, the greater byte of each unit first: as SMPP has it. */
function ucs2Of(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}
