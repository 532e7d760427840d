/**
 * Countries that published reports of SMS pumping name most. The dashboard marks them for account owners, and no rule reads the list.
 * It is a hint: attackers move on, and the conversion of the account itself tells more.
 */
export const pumpedCountries: ReadonlySet<string> = new Set(
  [
    'AE AM AZ BD BH BJ BY DZ EG GE GH ID IL IQ IR JO KG KM KW',
    'KZ LA LB LK MM MV NG OM PK QA RU SA SD SV SY TJ TT UZ YE',
  ].flatMap((line) => line.split(' ')),
)
