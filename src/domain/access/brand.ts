/**
 * @returns a brand as messages have it: phones and word processors write the curly apostrophe, which makes an SMS UCS-2, and a blank
 * behind what they complete
 */
export function sentBrand(brand: string): string {
  return brand.replaceAll('’', "'").replaceAll(/ +/g, ' ').trim()
}
