/** Where numbers are: countries, with how many people there ask for a code on a day, and how many of them type it in. */
import { numberKindOf } from '../../src/domain/sending/numberingPlan.ts'
import type { Chance } from './random.ts'

export interface Place {
  country: string
  /** How its mobile numbers begin. */
  begin: string
  /** Digits behind that. */
  digits: number
  perDay: number
  /** The part of codes to new phones that is typed in, on average over the day. */
  conversion: number
}

/** The account has most of its users in a few countries, and a few of them in many. */
export const places: readonly Place[] = [
  ...[place('DE', '+4915', 9, 1500, 0.92), place('FR', '+336', 8, 500, 0.9), place('GB', '+447', 9, 400, 0.91)],
  ...[place('PL', '+4850', 7, 200, 0.93), place('NL', '+316', 8, 150, 0.92), place('US', '+1212', 7, 120, 0.88)],
  ...[place('TR', '+9053', 8, 60, 0.86), place('IN', '+919', 9, 40, 0.84), place('NG', '+23480', 8, 20, 0.8)],
  ...[place('KG', '+99670', 7, 8, 0.85), place('LK', '+9477', 7, 5, 0.85), place('UZ', '+99890', 7, 4, 0.85)],
  place('AZ', '+99450', 7, 3, 0.85),
]

const mobileKinds: readonly string[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE']

export function placeOf(country: string): Place {
  return places.find((one) => one.country === country)!
}

/** Any number that a mobile phone can have there. */
export function phoneIn({ begin, digits }: Place, chance: Chance): string {
  for (;;) {
    const phone = `${begin}${chance.digits(digits)}`
    if (mobileKinds.includes(numberKindOf(phone))) return phone
  }
}

/** What comes in an hour of the day (UTC), as a part of the day. */
export const hourParts: readonly number[] = [
  ...[0.01, 0.006, 0.005, 0.006, 0.012, 0.025, 0.04, 0.055, 0.06, 0.06, 0.06, 0.062],
  ...[0.062, 0.06, 0.058, 0.058, 0.062, 0.066, 0.066, 0.06, 0.047, 0.032, 0.018, 0.01],
]

/** At night, more people give up: what the conversion is multiplied with. */
export function hourConversion(hour: number): number {
  return hour < 6 ? 0.93 : 1.005
}

function place(country: string, begin: string, digits: number, perDay: number, conversion: number): Place {
  return { country, begin, digits, perDay, conversion }
}
