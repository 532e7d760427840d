/** What a replay has found, for people and for programs. */
import type { Replayed } from '../../domain/protection/replay/replay.ts'
import type { RuleReplay } from '../../domain/protection/replay/ruleReplay.ts'
import { type ProtectionRule, signalSubjects } from '../../domain/protection/rule.ts'
import { table } from '../../kit/terminal.ts'

const onlyLive = ' Codes of test keys are not among them.'

export function replayText(account: string, rules: readonly ProtectionRule[], replayed: Replayed): string {
  const { codes, stopped, stoppedVerified, since, until } = replayed
  const part = codes === 0 ? '' : ` (${((100 * stopped) / codes).toFixed(2)} %)`
  const found = replayed.rules.filter((rule) => rule.found > 0)
  return [
    `Live codes that ${account} sent from ${timeOf(since)} to ${timeOf(until)}: ${codes}.${codes === 0 ? onlyLive : ''}`,
    `Stopped by these rules: ${stopped}${part}. Verified later, of those: ${stoppedVerified}.`,
    ...signalNote(rules, replayed),
    '',
    table(replayed.rules.map(ruleLine)),
    ...found.flatMap((rule) => ['', `${rule.rule}, for example:`, table(rule.examples.map(exampleLine))]),
  ].join('\n')
}

export function replayJson(account: string, { since, until, signalsSince, rules, ...sums }: Replayed) {
  return {
    ...{ account, since: timeOf(since), until: timeOf(until), codes: sums.codes, stopped: sums.stopped },
    ...{ stopped_verified: sums.stoppedVerified, signals_since: timeOrNull(signalsSince) },
    rules: rules.map(({ rule, do: act, found, verified, costs, firstHour, worstHour, examples }) => ({
      ...{ rule, do: act, found, verified, costs, first_hour: timeOrNull(firstHour) },
      worst_hour: worstHour ? { at: timeOf(worstHour.at), found: worstHour.found } : null,
      examples: examples.map(({ id, phone, at, isVerified }) => ({ id, phone, at: timeOf(at), verified: isVerified })),
    })),
  }
}

function signalNote(rules: readonly ProtectionRule[], { signalsSince }: Replayed): string[] {
  const subjects = signalSubjects(rules)
  if (subjects.length === 0) return []
  const text = `rules by ${subjects.join(', ')} find nothing`
  if (signalsSince === undefined) return [`No code of that time has signals: ${text}.`]
  return [`Signals are kept since ${timeOf(signalsSince)}: ${text} before.`]
}

function ruleLine({ rule, do: act, found, verified, costs, firstHour, worstHour }: RuleReplay) {
  return {
    ...{ rule, do: act, found, 'verified later': verified },
    'the rest cost':
      costs.map(({ amount, currency, messages }) => `${amount} ${currency} (${messages})`).join(', ') || '-',
    'first hour': firstHour === undefined ? '-' : timeOf(firstHour),
    'worst hour': worstHour ? `${timeOf(worstHour.at)} (${worstHour.found})` : '-',
  }
}

function exampleLine({ id, phone, at, isVerified }: RuleReplay['examples'][number]) {
  return { id, phone, at: timeOf(at), verified: isVerified ? 'yes' : 'no' }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : timeOf(at)
}
