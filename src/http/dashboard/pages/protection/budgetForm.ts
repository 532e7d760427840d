/** Sending › Protection: one budget as a form. */
import {
  type Budget,
  budgetList,
  type WrittenBudget,
  writtenBudget,
} from '../../../../domain/protection/budget/budget.ts'
import type { FoundProtection } from '../../../../domain/protection/protection.ts'
import { faultsOfForm, type PlacedFault } from '../../../../kit/reading/formFaults.ts'
import { schemaWords } from '../../../../kit/reading/wrongType.ts'
import { placedRefusal, Refusal } from '../../../../kit/refusal.ts'
import { plainText } from '../../../../kit/typed.ts'
import { type Html, html } from '../../../html.ts'
import type { Form } from '../../form.ts'
import { actButton, headOf } from '../../parts/act.ts'
import { countryNamesOf } from '../../parts/country.ts'
import { faultsAt, textField } from '../../parts/field.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { typedCountries, typedNumber } from './ruleFields.ts'
import { applyRules, findRules, versionField } from './ruleForm.ts'

const section = '/protection'
const addPath = '/protection/add-budget'
const onePath = '/protection/budgets/:id'
const sensitive = { role: 'owner', isSensitive: true } as const
const pathOf = ({ params }: Asked) => `/protection/budgets/${params.id ?? ''}`

export const budgetRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: addPath, ...sensitive, show: (asked) => adding(asked) },
  { method: 'POST', path: addPath, ...sensitive, act: add, back: () => addPath, again: adding },
  { method: 'GET', path: onePath, ...sensitive, show: (asked) => changing(asked) },
  { method: 'POST', path: onePath, ...sensitive, act: change, back: pathOf, again: changing },
  { method: 'POST', path: `${onePath}/remove`, ...sensitive, act: remove, back: () => section },
]

async function adding(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const found = await findRules(asked)
  const body = html`${wayBack()}
${headOf('Add a budget')}
${budgetFields(asked.form, { to: addPath, found, label: 'Add' }, fault, refusal)}`
  return { title: 'Add a budget', section, body }
}

async function changing(asked: Asked, fault?: string, refusal?: Refusal): Promise<View> {
  const found = await findRules(asked)
  const budget = budgetIn(found, asked)
  const removal = actButton({
    ...{ to: `${pathOf(asked)}/remove`, label: 'Remove', isDangerous: true, fields: { version: found.version } },
    confirm: `Remove the budget ${budget.id}: nothing caps these sends from then on, unless another budget does.`,
  })
  const body = html`${wayBack()}
${headOf(html`The budget <code>${budget.id}</code>`, removal)}
${budgetFields(asked.form, { to: pathOf(asked), found, label: 'Save', budget }, fault, refusal)}`
  return { title: `The budget ${budget.id}`, section, body }
}

function wayBack(): Html {
  return html`<p class="way"><a href="${section}">Protection</a></p>`
}

interface Shown {
  to: string
  found: FoundProtection
  label: string
  /** The one that is changed; undefined for a new one. */
  budget?: Budget
}

function budgetFields(
  form: Form,
  { to, found, label, budget }: Shown,
  fault: string | undefined,
  refusal: Refusal | undefined,
): Html {
  const { above, beside } = faultsAt(['id', 'countries', 'messages', 'money'], fault, refusal)
  const written = budget && writtenBudget(budget)
  const field = (name: 'id' | 'countries' | 'messages' | 'money', first: string) => ({
    ...{ name, value: form.has(name) ? form.text(name) : first, fault: beside[name] },
  })
  return html`${above}<form method="post" action="${to}" class="stack">
${versionField(form, found)}
${
  budget === undefined &&
  textField({
    ...{ ...field('id', ''), label: 'Name', isRequired: true, lengthMax: 32, placeholder: 'daily' },
    help: 'Lower-case letters, digits and “-”. It appears in responses, events and the audit.',
  })
}
${textField({
  ...{ ...field('countries', countryNamesOf(written?.countries) ?? ''), label: 'Countries' },
  ...{
    placeholder: 'Germany, France',
    help: 'Only what is sent there counts. Empty: everything that this account sends.',
  },
})}
${textField({
  ...{ ...field('messages', written?.messages?.toString() ?? ''), label: 'Messages a day', placeholder: '5000' },
  help: 'Codes and notifications of live keys, from midnight to midnight (UTC).',
})}
${textField({
  ...{ ...field('money', written?.money ?? ''), label: 'Money a day', placeholder: '100.00 EUR' },
  help: 'An amount and its currency. It counts what providers report as price; what they do not report costs nothing here.',
})}
<p class="quiet-text">Fill in one of the two, or both: the budget is spent when either is. Sends then get 403 until the day is over.</p>
<div class="acts"><button>${label}</button><a class="button plain" href="${section}">Cancel</a></div>
</form>`
}

/** @throws Refusal which names everything that is wrong, each at its field */
function toBudget(form: Form, id: string): WrittenBudget {
  const [countries, messages] = [typedCountries(form.text('countries')), typedNumber(form.text('messages'))]
  const money = plainText(form.text('money')).toUpperCase()
  const written = {
    id,
    ...(countries && { countries }),
    ...(messages !== undefined && { messages }),
    ...(money !== '' && { money }),
  }
  const { error } = budgetList.safeParse([written], { error: schemaWords })
  if (!error) return written
  throw placedRefusal(faultsOfForm(error, [written]).map(inForm), ({ fault }) => fault)
}

/** In the words of a form, where each field says what is wrong with it. */
function inForm({ path: [, name = 'id', entry], fault }: PlacedFault): PlacedFault {
  if (fault === 'is missing, or money') return { path: ['messages'], fault: 'Fill in this, or the money.' }
  const place = typeof entry === 'number' ? `Entry ${entry + 1} ` : 'It '
  return { path: [name], fault: `${place}${fault}.` }
}

/** @throws Refusal for one that is not there, and for those that another version has written */
function budgetIn({ budgets }: FoundProtection, { params }: Asked): Budget {
  const { data } = budgetList.safeParse(budgets)
  if (!data)
    throw new Refusal('Another version of the service has written these budgets, and this one cannot read them.')
  const budget = data.find(({ id }) => id === params.id)
  if (budget) return budget
  throw new Refusal(`There is no budget ${params.id ?? ''}.`)
}

async function add(asked: Asked): Promise<Done> {
  const found = await findRules(asked)
  const budget = toBudget(asked.form, asked.form.text('id'))
  if (found.budgets.some(({ id }) => id === budget.id)) {
    const fault = `There is a budget ${budget.id} already.`
    throw placedRefusal([{ path: ['id'], fault }], () => fault)
  }
  await applyRules(asked, { ...found, budgets: [...found.budgets, budget] })
  return { to: section, said: `The budget ${budget.id} is in force.` }
}

async function change(asked: Asked): Promise<Done> {
  const found = await findRules(asked)
  const { id } = budgetIn(found, asked)
  const budget = toBudget(asked.form, id)
  await applyRules(asked, { ...found, budgets: found.budgets.map((one) => (one.id === id ? budget : one)) })
  return { to: section, said: `The budget ${id} was saved.` }
}

async function remove(asked: Asked): Promise<Done> {
  const found = await findRules(asked)
  const { id } = budgetIn(found, asked)
  await applyRules(asked, { ...found, budgets: found.budgets.filter((one) => one.id !== id) })
  return { to: section, said: `The budget ${id} was removed.` }
}
