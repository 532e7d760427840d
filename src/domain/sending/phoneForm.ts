/**
 * Phones that can be called under two numbers: limits, codes, searches and erasures go by one of them, so that nobody has two
 * limits for one phone. Messages go to the number that was written: only its writer knows which one the phone's owner uses.
 *
 * Mexico's `+52 1` and Brazil's mobile numbers without their ninth digit are no numbers any more, and are refused; where people
 * write, the first is read as the number that it became (`phones/renumbered.ts`).
 */
import { readNumber } from './numberingPlan.ts'

interface Twins {
  /** How numbers begin that have another form, and how those do. */
  written: RegExp
  one: string
  /** The same, from that form back. */
  back: RegExp
  other: string
}

const twins: readonly Twins[] = [
  // Argentina: a mobile number has a 9 when it is called from abroad, and none for texts. No area code begins with 9.
  { written: /^\+54(?!9)/, one: '+549', back: /^\+549/, other: '+54' },
  // Jawwal and Ooredoo Palestine are reached under Israel's calling code as well. No network of Israel has these two.
  { written: /^\+972(?=5[69])/, one: '+970', back: /^\+970(?=5[69])/, other: '+972' },
]

/**
 * @param phone a number in E.164 form that can exist
 * @returns the number that stands for its phone, which is mostly itself
 */
export function onePhone(phone: string): string {
  const twin = twins.find(({ written }) => written.test(phone))
  const one = twin && phone.replace(twin.written, twin.one)
  return one !== undefined && readNumber(one) ? one : phone
}

/** @returns every number under which its phone may have been written down: an earlier version kept them as they were */
export function listPhoneForms(phone: string): string[] {
  const one = onePhone(phone)
  const twin = twins.find(({ back }) => back.test(one))
  return twin ? [one, one.replace(twin.back, twin.other)] : [one]
}
