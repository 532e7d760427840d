/** Sending › Protection › Countries: where codes may go, and how each country does. */
import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import { type Conversion, isFallen } from '../../../../domain/insight/conversion.ts'
import type { FoundProtection } from '../../../../domain/protection/protection.ts'
import { pumpedCountries } from '../../../../domain/protection/pumpedCountries.ts'
import { type AllowedCountries, allowedCountries, withAllowed } from '../../../../domain/protection/ruleChange.ts'
import { readCountry } from '../../../../domain/sending/phones/typedCountry.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { plainText } from '../../../../kit/typed.ts'
import { type Html, html } from '../../../html.ts'
import { headOf } from '../../parts/act.ts'
import { count, counted, share } from '../../parts/amount.ts'
import { countryNameOf } from '../../parts/country.ts'
import { fieldFaultOf, selectField } from '../../parts/field.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { actField, actIn, applyRules, findRules, reasonField, versionField } from './ruleForm.ts'

const section = '/protection'
const path = '/protection/countries'

export const countryRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path, role: 'viewer', show: (asked) => show(asked) },
  { method: 'POST', path, role: 'owner', isSensitive: true, act: save, back: () => path, again: show },
]

interface CountryRow {
  country: CountryCode
  name: string
  /** Of the last 24 hours; undefined where no code was sent. */
  codes: Conversion | undefined
  isAllowed: boolean
}

const filters = [
  { value: '', label: 'All countries' },
  { value: 'sent', label: 'With codes in the last 24 hours' },
  { value: 'pumped', label: 'Often pumped' },
  { value: 'allowed', label: 'Allowed' },
  { value: 'other', label: 'Not allowed' },
] as const

async function show(asked: Asked, fault?: string): Promise<View> {
  const { desk, actor, form, query } = asked
  const [found, { countries }] = await Promise.all([
    findRules(asked),
    desk.conversions.find(actor, { accountId: actor.accountId, mode: 'live' }),
  ])
  const allowed = allowedCountries(found.rules)
  const all = toRows(allowed, countries)
  const [wanted, filter] = [query.get('q') ?? '', query.get('show') ?? '']
  const isNamed = namedAs(wanted)
  const rows = all.filter((row) => isNamed(row) && matchesFilter(row, filter))
  const isOwner = actor.role === 'owner'
  const table = tableFor(
    rows,
    isOwner ? (row) => tick(row, form.has('shown') ? form.all('allow') : undefined) : undefined,
  )
  const body = html`<p class="way"><a href="${section}">Protection</a></p>
${headOf('Countries')}
<p class="lead">Fewer countries give SMS pumping fewer places to go: allow those that your users live in.</p>
${fieldFaultOf(fault)}
${searchForm(wanted, filter)}
<p class="quiet-text">${counted(rows.length, 'country', 'countries')} of ${all.length}; ${all.filter(({ isAllowed }) => isAllowed).length} are allowed. “Often pumped” marks those that reports of SMS pumping name most. The operator of this service can allow fewer than you do.</p>
${isOwner ? allowForm({ ...asked, found, act: allowed.do, rows, table }) : table}`
  return { title: 'Countries', section, body }
}

function toRows({ allow }: AllowedCountries, codes: readonly Conversion[]): CountryRow[] {
  const byCountry = new Map(codes.map((one) => [one.name, one]))
  return getCountries()
    .map((country) => ({
      ...{ country, name: countryNameOf(country), codes: byCountry.get(country) },
      isAllowed: allow === 'all' || allow.includes(country),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** By a part of its name, its name in another language, its code, or how its numbers begin. */
function namedAs(typed: string): (row: CountryRow) => boolean {
  const wanted = plainText(typed).toLowerCase()
  const [, prefix] = /^(?:\+|00)?(\d{1,4})$/.exec(wanted) ?? []
  if (prefix !== undefined) return ({ country }) => getCountryCallingCode(country).startsWith(prefix)
  const whole = readCountry(wanted)
  return ({ country, name }) => name.toLowerCase().includes(wanted) || country === whole
}

function matchesFilter({ country, codes, isAllowed }: CountryRow, filter: string): boolean {
  if (filter === 'sent') return codes !== undefined
  if (filter === 'pumped') return pumpedCountries.has(country)
  if (filter === 'allowed') return isAllowed
  return filter === 'other' ? !isAllowed : true
}

function searchForm(wanted: string, filter: string): Html {
  return html`<form class="filters" action="${path}" role="search"><p class="field"><label for="q">Name, code or prefix</label><input id="q" name="q" type="search" value="${wanted}" placeholder="Germany, DE, +49" maxlength="60"></p>
${selectField({ name: 'show', label: 'Which', value: filter, choices: filters, isSearch: true })}<button class="plain">Search</button></form>`
}

function tableFor(rows: readonly CountryRow[], tickOf: ((row: CountryRow) => Html) | undefined): Html {
  if (rows.length === 0) return html`<p class="quiet-text">No country is of that kind.</p>`
  return renderTable({
    caption: 'Countries, and how their codes do',
    rows,
    columns: [
      { name: 'Country', cell: (row) => tickOf?.(row) ?? row.name, isHead: true },
      { name: 'Code', cell: ({ country }) => html`<code>${country}</code>` },
      { name: 'Prefix', cell: ({ country }) => `+${getCountryCallingCode(country)}`, isNumber: true },
      { name: 'Codes in 24 h', cell: ({ codes }) => count(codes?.sent ?? 0), isNumber: true },
      { name: 'Conversion', cell: ({ codes }) => (codes ? share(codes.verified, codes.sent) : '–'), isNumber: true },
      { name: 'Look at', cell: renderFlags },
      ...(tickOf
        ? []
        : [{ name: 'Codes', cell: ({ isAllowed }: CountryRow) => (isAllowed ? 'allowed' : 'not allowed') }]),
    ],
  })
}

function renderFlags({ country, codes }: CountryRow): Html {
  return html`${codes && isFallen(codes) && toned('failed', 'conversion fell')} ${
    pumpedCountries.has(country) && toned('expired', 'often pumped')
  }`
}

/** @param chosen what was ticked before the form came back; undefined at first */
function tick({ country, name, isAllowed }: CountryRow, chosen: readonly string[] | undefined): Html {
  const isChecked = chosen?.includes(country) ?? isAllowed
  return html`<label class="tick"><input type="checkbox" name="allow" value="${country}"${isChecked && html` checked`}><span>${name}</span></label>`
}

interface Shown extends Pick<Asked, 'form' | 'query'> {
  found: FoundProtection
  act: AllowedCountries['do']
  rows: readonly CountryRow[]
  table: Html
}

function allowForm({ form, query, found, act, rows, table }: Shown): Html {
  return html`<form method="post" action="${path}?${query.toString()}" class="stack wide">
${versionField(form, found)}<input type="hidden" name="shown" value="${rows.map(({ country }) => country).join(' ')}">
<p class="quiet-text">Tick the countries that codes may go to. Countries that this search does not show stay as they are.</p>
${table}
${actField('When a code goes to another country', form.has('do') ? form.text('do') : act)}
${reasonField(form.raw('reason'))}
<div class="acts"><button>Save</button><a class="button plain" href="${section}">Cancel</a></div>
</form>`
}

async function save(asked: Asked): Promise<Done> {
  const { form } = asked
  const found = await findRules(asked)
  const { allow } = allowedCountries(found.rules)
  const shown = new Set(form.text('shown').split(' '))
  const chosen = new Set(form.all('allow'))
  const allowed = getCountries().filter((country) =>
    shown.has(country) ? chosen.has(country) : allow === 'all' || allow.includes(country),
  )
  if (allowed.length === 0) throw new Refusal('Allow one country at least: with none, no code can be sent.')
  const isEvery = allowed.length === getCountries().length
  const rules = withAllowed(found.rules, { allow: isEvery ? 'all' : allowed, do: actIn(form) })
  const { raised } = await applyRules(asked, { ...found, rules })
  const said = isEvery
    ? 'Codes may go to every country.'
    : `Codes may go to ${counted(allowed.length, 'country', 'countries')}.`
  return { to: path, said: raised.length > 0 ? `${said} Those to others are refused from now on.` : said }
}
