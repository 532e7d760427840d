/** What PostgreSQL takes as text: it has no U+0000, and nothing that is no Unicode. */

export const notStorable = 'it holds U+0000 or an unpaired surrogate'

/** Whether the database takes every text in a value, names of members too. */
export function isStorable(value: unknown): boolean {
  let good = true
  JSON.stringify(value, (name, member: unknown) => {
    const texts = typeof member === 'string' ? [name, member] : [name]
    good &&= texts.every((text) => !text.includes('\0') && text.isWellFormed())
    return member
  })
  return good
}
