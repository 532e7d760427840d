/** A rule as a sentence: to read, or with fields in the places of its numbers. Both have the same words. */
import { numberKinds, type ProtectionRule, type RuleSubject } from '../../../../domain/protection/rule.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { type Choice, checkFields } from '../../parts/field.ts'
import { fillRuleFields, type RuleBasis, type RuleField } from './ruleFields.ts'
import { formPen, type Pen, readingPen } from './sentencePen.ts'

export function readSentence(rule: ProtectionRule): Html {
  const field = fillRuleFields(rule)
  const { by, count } = rule
  const [first, ...rest] = writePhrases(rule, readingPen(field), field).filter((phrase) => phrase !== undefined)
  const words = [first, ...rest].map((phrase, index) => html`${index > 0 && ', '}${phrase}`)
  const kinds = count === undefined && by === 'number_kind' && kindWords(rule)
  return html`${words}${kinds}.`
}

/** @param field what is in the fields at first */
export function sentenceFields(basis: RuleBasis, field: RuleField): Html {
  const [first, ...rest] = writePhrases(basis, formPen(field), field).filter((phrase) => phrase !== undefined)
  const isOfKinds = basis.count === undefined && basis.by === 'number_kind'
  return html`<fieldset class="sentence"><legend>The rule</legend>
<p>${first}</p>${isOfKinds && kindFields(field)}</fieldset>
<fieldset class="sentence"><legend>Only when, and except</legend>
<p class="quiet-text">An empty field leaves its line out.</p>
${rest.map((phrase) => html`<p>${phrase}</p>`)}</fieldset>`
}

export const subjectNames: Record<RuleSubject, string> = {
  country: 'to one country',
  prefix: 'to one block of numbers',
  number_kind: 'to one kind of number',
  network: 'from one network',
  ip: 'from one internet address',
  user: 'for one user',
  device: 'from one device',
}

const actChoices: readonly Choice[] = [
  { value: 'record', label: 'Record' },
  { value: 'challenge', label: 'Ask for a captcha for' },
  { value: 'block', label: 'Block' },
]

/** The first is the sentence itself. Undefined for what is left out. */
function writePhrases(basis: RuleBasis, pen: Pen, field: RuleField): Part[] {
  const act = pen.choice('do', 'What it does', actChoices)
  const { by, count } = basis
  const first =
    count !== undefined
      ? html`${act} codes ${subjectNames[by]} when ${countWords(count, pen)}`
      : by === 'country'
        ? allowWords(act, pen, field)
        : html`${act} codes to numbers of these kinds`
  return [
    first,
    ...(count === undefined ? [] : conditionWords(basis, pen)),
    pen.part('except_countries', html`except codes to ${pen.list('except_countries', 'Countries excepted')}`),
    pen.part('except_networks', html`except from ${pen.list('except_networks', 'Networks excepted', 'network')}`),
    pen.part('except_phones', html`except to ${pen.list('except_phones', 'Phone numbers excepted', 'number')}`),
  ]
}

function countWords(count: NonNullable<RuleBasis['count']>, pen: Pen): Html {
  const [most, time] = [pen.number('constant', 'More than'), pen.length('window', 'In what time')]
  switch (count) {
    case 'unverified':
      return html`more than ${most} in ${time} were not verified`
    case 'sends':
      return html`more than ${most} are sent in ${time}`
    case 'countries':
      return html`they go to more than ${most} countries in ${time}, without those where one was verified`
    case 'numbers':
      return html`they go to more than ${most} numbers in ${time}`
  }
}

function allowWords(act: Part, pen: Pen, field: RuleField): Html {
  const allowed = pen.choice('allow', 'Which countries are allowed', [
    { value: 'all', label: 'every country' },
    { value: 'some', label: 'only these countries' },
  ])
  const names = field('allow') === 'some' || pen.isForm ? html`: ${pen.list('allowed', 'Allowed countries')}` : ''
  return html`${act} codes to countries that are not allowed. Allowed: ${allowed}${names}`
}

function conditionWords({ by, count }: RuleBasis, pen: Pen): Part[] {
  const near = pen.part('within', html`that are at most ${pen.number('within', 'How far apart the numbers are')} apart`)
  const young = pen.part(
    'settles',
    html`without codes that are younger than ${pen.length('settles', 'Age of a code', ['minutes', 'hours'])}`,
  )
  const [hasConversion, isNear] = [count === 'sends' || count === 'unverified', by === 'prefix' && count === 'numbers']
  return [
    isNear ? near : undefined,
    by === 'country' && count === 'unverified' ? young : undefined,
    ...(hasConversion ? comparisonWords(pen) : []),
    pen.part(
      'sends',
      html`and more than ${pen.number('sends', 'Codes sent in the same time')} were sent in the same time`,
    ),
    pen.part('only', html`only for ${pen.list('only', 'Countries that it is for')}`),
  ]
}

/** What is compared with the codes that were verified. */
function comparisonWords(pen: Pen): Part[] {
  const per = (name: string) => pen.part(name, html`, divided by ${pen.number(name, 'Divided by')}`)
  const ownTime = pen.part('verified_window', pen.length('verified_window', 'In another time'))
  const sameTime = pen.isForm ? 'the same time, or in ' : ownTime === undefined && 'the same time'
  return [
    pen.part(
      'verified',
      html`and the count is above ${pen.number('verified', 'Percentage of the verified codes')} % of those verified in ${sameTime}${ownTime}${per('verified_per')}`,
    ),
    pen.part(
      'best',
      html`and the count is above ${pen.number('best', 'Percentage of the best day')} % of those verified on the best of the 14 days before${per('best_per')}`,
    ),
    pen.part(
      'conversion',
      html`and fewer than ${pen.number('conversion', 'Percentage of codes verified')} % were verified${pen.part(
        'history',
        html`, which counts only while none was verified ${pen.length('history', 'Length of history', ['days', 'hours'])} ago or earlier`,
      )}`,
    ),
    pen.part('never', pen.check('never', 'and none was verified in 14 days')),
  ]
}

interface Kind {
  name: string
  help: string
}

/** What kinds of numbers are, by the library's names. */
const kinds: Readonly<Record<string, Kind>> = {
  mobile: { name: 'mobile', help: 'A mobile phone.' },
  fixed_line: { name: 'landline', help: 'A fixed line: most cannot receive an SMS.' },
  fixed_line_or_mobile: {
    name: 'landline or mobile',
    help: 'Where both look alike, as in the United States and Canada.',
  },
  voip: { name: 'internet telephony (VoIP)', help: 'A number without a SIM card: cheap to get in bulk.' },
  premium_rate: { name: 'premium rate', help: 'Who is called earns a part of the charge.' },
  shared_cost: { name: 'shared cost', help: 'A service number: caller and owner share the charge.' },
  toll_free: { name: 'toll free', help: 'A service number: its owner pays for calls.' },
  personal_number: { name: 'personal number', help: 'A number that forwards to another phone.' },
  pager: { name: 'pager', help: 'A device that only beeps or shows short messages.' },
  uan: { name: 'company number (UAN)', help: 'A universal access number: one number for all branches of a company.' },
  voicemail: { name: 'voicemail', help: 'The number of a mailbox for calls.' },
}

const kindName = (kind: string) => kinds[kind]?.name ?? kind

function kindWords({ kinds: found = [], record_kinds: recorded = [] }: ProtectionRule): Html {
  return html`: ${found.map(kindName).join(', ')}${
    recorded.length > 0 && html`; and only record ${recorded.map(kindName).join(', ')}`
  }`
}

function kindFields(field: RuleField): Html {
  const choices = numberKinds.map((value) => ({ value, label: kindName(value), help: kinds[value]?.help }))
  const chosen = (name: string) => field(name).split(', ')
  return html`${checkFields({ name: 'kinds', label: 'These kinds', values: chosen('kinds'), choices })}
${checkFields({ name: 'record_kinds', label: 'Whatever it does: only record these', values: chosen('record_kinds'), choices: choices.map(({ value, label }) => ({ value, label })) })}`
}
