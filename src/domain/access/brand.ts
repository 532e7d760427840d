/** What is said of a brand that is none: the end of a sentence. */
export const brandWords =
  "1 to 30 letters, digits, spaces and - _ . & ', with a letter or digit, at most 4 digits, and nothing that reads as a URL"

/**
 * @returns a brand as messages have it: phones and word processors write the curly apostrophe, which makes an SMS UCS-2, and a blank
 * behind what they complete
 */
export function sentBrand(brand: string): string {
  return brand.replaceAll('’', "'").replaceAll(/ +/g, ' ').trim()
}
