/** What a provider file says in vain. A connection that has it works, and its writer means something else. */
import { toPrice } from '../../../../domain/channels/price.ts'
import type { PlacedFault } from '../../../../kit/reading/formFaults.ts'
import type { ProviderFile } from '../schema.ts'
import { membersOf } from './members.ts'

type When = ProviderFile['answer']['rules'][number]['when']
type Path = PlacedFault['path']

/**
 * @param written the file as its writer has it, without what holds for members that are left out
 * @returns what can never match, lead to something or be asked, with the members that lead to it
 */
export function idleFaults(file: ProviderFile, written: unknown): PlacedFault[] {
  const { answer, request, probe, token } = file
  return [
    ...pointerFaults(answer),
    ...answer.rules.flatMap(({ when }, index) =>
      Object.entries(when).flatMap(([member, wanted]) => {
        const fault = memberFault(member, answer.as) ?? valueFault(member, wanted)
        return fault === undefined ? [] : [{ path: ['answer', 'rules', index, 'when', member], fault }]
      }),
    ),
    ...Object.entries({ request, probe, token }).flatMap(([name, asking]) =>
      asking ? headerFaults(asking, name) : [],
    ),
    ...formFaults(written),
    ...loneFaults(file),
    ...(file.countries ? [] : placelessNumbers(request)),
  ]
}

function pointerFaults({ as, id, error, price, retry_after }: ProviderFile['answer']): PlacedFault[] {
  if (as !== 'text') return []
  const found = { id, error, price, retry_after: retry_after === 'header' ? undefined : retry_after }
  return Object.entries(found).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: ['answer', name], fault: `${nothing}: leave it out` }],
  )
}

const nothing = 'a pointer leads to nothing with as: text'

function memberFault(member: string, as: ProviderFile['answer']['as']): string | undefined {
  if (as !== 'text') return member === 'text' ? 'is there with as: text only' : undefined
  return member.startsWith('/') ? `${nothing}: write text or status` : undefined
}

const statusForm = /^([1-5]xx|[1-5]\d\d|\*)$/

function valueFault(member: string, wanted: When[string]): string | undefined {
  if (member === 'status' && ![wanted].flat().every((one) => statusForm.test(String(one))))
    return 'must be a status like 200, a class like 2xx, or a list of them'
  const isIdle = [wanted].flat().some((one) => String(one).slice(0, -1).includes('*'))
  return isIdle ? 'must have "*" at the end only: it stands for itself elsewhere' : undefined
}

/** Which of two is sent would be chance. */
function headerFaults({ headers, sign }: ProviderFile['request'], name: string): PlacedFault[] {
  const places = [
    ...Object.keys(headers).map((header): [string, Path] => [header, [name, 'headers', header]]),
    ...(sign?.into === undefined ? [] : [[sign.into, [name, 'sign', 'into']] as [string, Path]]),
  ]
  const lower = places.map(([header]) => header.toLowerCase())
  return places.flatMap(([, path], index) =>
    lower.indexOf(lower[index]!) < index ? [{ path, fault: 'names a header that is there already' }] : [],
  )
}

/** Where `as` is left out, JSON is meant, and some write what only another form has. */
function formFaults(written: unknown): PlacedFault[] {
  const xml = 'is for XML: say as: xml; or as: json, if JSON is meant'
  return (['request', 'probe', 'answer'] as const).flatMap((name) => {
    const { as, method = name === 'probe' ? 'GET' : 'POST', ...members } = membersOf(membersOf(written)[name])
    if (as !== undefined) return []
    const [path] = xmlPlaces(name === 'answer' ? members : members.body, name === 'answer' ? [name] : [name, 'body'])
    if (path) return [{ path, fault: xml }]
    const isAsked = name !== 'answer' && method === 'GET' && members.body !== undefined
    return isAsked
      ? [{ path: [name, 'body'], fault: 'is sent as JSON, with GET: say as: query; or as: json, if JSON is meant' }]
      : []
  })
}

/** Names of attributes and texts, and pointers to them. */
function xmlPlaces(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return /^\/(.*\/)?(@|#text$)/.test(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...path, Array.isArray(value) ? Number(name) : name]
    return /^(\/(.*\/)?)?(@|#text$)/.test(name) ? [place] : xmlPlaces(member, place)
  })
}

/** What goes with something that is not there. */
function loneFaults({ request, probe, token, answer, report }: ProviderFile): PlacedFault[] {
  const prices = { answer: answer.price, report: report?.price }
  return [
    ...(token && !/\{\{\s*token[\s|}]/.test(JSON.stringify([request, probe]))
      ? [{ path: ['token'], fault: 'is fetched for nothing: write {{token}} in request' }]
      : []),
    ...Object.entries(prices).flatMap(([name, price]) =>
      price && !price.currency.startsWith('/') && !toPrice('1', price.currency)
        ? [{ path: [name, 'price', 'currency'], fault: 'is no currency of ISO 4217' }]
        : [],
    ),
    ...(report?.zone !== undefined && report.at === undefined
      ? [{ path: ['report', 'zone'], fault: 'is of the time that at points to, and at is missing' }]
      : []),
    ...(report && Object.keys(report.codes).length > 0 && report.error === undefined
      ? [{ path: ['report', 'codes'], fault: 'are what error points to, and error is missing' }]
      : []),
    ...(report && Object.keys(report.map).length === 0
      ? [{ path: ['report', 'map'], fault: 'must have a status: without one, reports change nothing' }]
      : []),
  ]
}

/** Without its country, the number of a phone is that of another one in each country. */
function placelessNumbers({ url, headers, body }: ProviderFile['request']): PlacedFault[] {
  const asked = JSON.stringify({ url, headers, body })
  if (!/\{\{\s*to\s*\|\s*(national|significant)\b/.test(asked) || /\|\s*calling_code\b/.test(asked)) return []
  const fault =
    'sends a number without its country: name the countries of the gateway, as in countries: [DE], beside request, or send {{to|calling_code}} too'
  return [{ path: ['request'], fault }]
}
