/** Values that stand for variables where somebody tries a template, and the command that does so. */

/** By the last word of a variable's name. */
const samples: Readonly<Record<string, string>> = {
  name: 'Ada',
  user: 'Ada',
  customer: 'Ada',
  order: '10423',
  id: '10423',
  number: '10423',
  count: '3',
  code: '482913',
  date: '24 November',
  day: 'Tuesday',
  time: '14:30',
  amount: '€19.90',
  price: '€19.90',
  total: '€19.90',
  city: 'Berlin',
  link: 'https://example.com/10423',
  url: 'https://example.com/10423',
}

export function makeSample(variable: string): string {
  const last = variable.split('_').at(-1) ?? ''
  return Object.hasOwn(samples, last) ? samples[last]! : variable.replaceAll('_', ' ').trim()
}

const phone = '+14155550100'

/** For a shell, whatever is in the values. */
export function writeCommand(apiUrl: string, template: string, variables: Readonly<Record<string, string>>): string {
  const body = { phone, template, ...(Object.keys(variables).length > 0 && { variables }) }
  return [
    `curl ${apiUrl}/v1/notifications/send \\`,
    `  -H "Authorization: Bearer $WATCHWORD_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
  ].join('\n')
}
