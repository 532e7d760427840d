/** Numbers as they were before their country changed its plan: address books, and WhatsApp's `wa_id`, still have them. */

interface Change {
  before: RegExp
  now: string
  /** The end of a sentence that begins with the number. */
  fault: string
}

/** Only what can be read in one way: each number of before became one of now. */
const changes: readonly Change[] = [
  {
    before: /^\+52(?:1|01|044|045)(?=\d{10}$)/,
    now: '+52',
    fault: 'has digits behind +52 that Mexico took off its numbers in 2019: 10 digits follow +52',
  },
  {
    before: /^\+229(?=[24-9]\d{7}$)/,
    now: '+22901',
    fault: 'is from before 2024, when Benin put 01 in front of its numbers: 10 digits follow +229',
  },
]

/** @returns the number as it is today, which mostly is the same */
export function renumber(phone: string): string {
  const change = changes.find(({ before }) => before.test(phone))
  return change ? phone.replace(change.before, change.now) : phone
}

/** @returns why a number is none any more; undefined where its country has not changed it */
export function renumberingFault(phone: string): string | undefined {
  return changes.find(({ before }) => before.test(phone))?.fault
}
