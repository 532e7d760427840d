/** Countries as people call them. */

const names = new Intl.DisplayNames('en', { type: 'region' })

/** @param country ISO 3166-1 alpha-2; empty for a number of no country */
export function countryNameOf(country: string): string {
  return country === '' ? 'No country' : (names.of(country) ?? country)
}

export function countryNamesOf(countries: readonly string[] | undefined): string | undefined {
  return countries?.map(countryNameOf).join(', ')
}
