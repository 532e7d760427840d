/** @returns a brand as messages have it: phones and word processors write the curly apostrophe, which makes an SMS UCS-2 */
export function sentBrand(brand: string): string {
  return brand.replaceAll('’', "'")
}
