/**
 * Countries of which SMS providers warn: texts to them cost much and are pumped often. Only people are told of it; no rule reads it.
 * Sources: the countries for which Twilio asks customers to confirm the risk before they open them, and those that Authgear's fraud
 * protection treats with more care. What is pumped changes: this list is a hint, and an account's own conversion tells more.
 */
export const pumpedCountries: ReadonlySet<string> = new Set(
  [
    'AE AM AZ BD BH BJ BY DZ EG GE GH ID IL IQ IR JO KG KM KW',
    'KZ LA LB LK MM MV NG OM PK QA RU SA SD SV SY TJ TT UZ YE',
  ].flatMap((line) => line.split(' ')),
)
