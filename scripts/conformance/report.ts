/** What came of a run, for people. */
import { visible } from '../../src/kit/terminal.ts'
import type { Outcome } from './run.ts'

const keyStart = /^ww_(?:live|test)_/
/** What is shorter is no key, and may stand in any word. */
const secretMin = 8

const marks = { passed: '✓', failed: '✗', 'not tried': '–' } as const

/** One check; below it, why it did not pass. */
export function formatLine({ title, state, words }: Outcome, keys: readonly string[]): string {
  const told = toldOn(words, keys)
  if (state === 'not tried') return `  ${marks[state]} ${title}: ${told}`
  const why = told === '' ? [] : told.split('\n').map((line) => `      ${line}`)
  return [`  ${marks[state]} ${title}`, ...why].join('\n')
}

export function formatSummary(outcomes: readonly Outcome[], requests: number): string {
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length
  const failed = outcomes.filter(({ state }) => state === 'failed').map(({ suite, title }) => `  ✗ ${suite}: ${title}`)
  return [
    ...(failed.length > 0 ? ['', 'Failed:', ...failed] : []),
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('not tried')} not tried, with ${requests} requests`,
  ].join('\n')
}

/** For a terminal: a deployment can give it no orders. Line ends stay. */
export function toldOn(text: string, keys: readonly string[]): string {
  const lines = withoutSecrets(text, keys).split('\n')
  return lines.map(visible).join('\n')
}

/**
 * The deployment may say anything in its answers: a report is passed on, and shows no key and no phone.
 *
 * @param keys of this run, which are not shown without their beginning either
 */
export function withoutSecrets(text: string, keys: readonly string[]): string {
  const secrets = keys.map((key) => key.replace(keyStart, '')).filter((secret) => secret.length >= secretMin)
  // No `\b`: what stands before or behind is the deployment's to choose.
  return secrets
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .replaceAll(/(ww_(?:live|test)_)[\w…]+/g, '$1…')
    .replaceAll(/\+\d{7,}/g, '+…')
}
