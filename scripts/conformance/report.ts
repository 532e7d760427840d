/** What came of a run, for people. */
import type { Outcome } from './run.ts'

const marks = { passed: '✓', failed: '✗', 'not tried': '–' } as const

/** One check; below it, why it did not pass. */
export function lineOf({ title, state, words }: Outcome): string {
  const told = withoutSecrets(words)
  if (state === 'not tried') return `  ${marks[state]} ${title}: ${told}`
  const why = told === '' ? [] : told.split('\n').map((line) => `      ${line}`)
  return [`  ${marks[state]} ${title}`, ...why].join('\n')
}

export function summaryOf(outcomes: readonly Outcome[], requests: number): string {
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length
  const failed = outcomes.filter(({ state }) => state === 'failed').map(({ suite, title }) => `  ✗ ${suite}: ${title}`)
  return [
    ...(failed.length > 0 ? ['', 'Failed:', ...failed] : []),
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('not tried')} not tried, with ${requests} requests`,
  ].join('\n')
}

/** The deployment may say anything in its answers: a report is passed on, and shows no key and no phone. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/\b(ww_(?:live|test)_)\w+/g, '$1…').replaceAll(/\+\d{7,15}\b/g, '+…')
}
