/** What came of a run, in the XML that build servers read. */
import XMLBuilder from 'fast-xml-builder'
import { withoutSecrets } from './report.ts'
import type { Outcome } from './run.ts'

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
})

/**
 * @param name of the deployment
 * @param keys of the run
 */
export function formatJunit(name: string, outcomes: readonly Outcome[], keys: readonly string[]): string {
  const suites = Map.groupBy(outcomes, ({ suite }) => suite)
  return formatXml(name, {
    ...totals(outcomes),
    testsuite: Array.from(suites, ([suite, members]) => ({
      '@name': text(suite),
      ...totals(members),
      testcase: members.map((outcome) => buildCase(outcome, keys)),
    })),
  })
}

/**
 * Of a run of which nothing came: an empty report, or that of the run before, would be read as one without a fault.
 *
 * @param words why
 */
export function junitOfNone(name: string, words: string, keys: readonly string[]): string {
  const counts = { ...totals([]), '@tests': '1', '@errors': '1' }
  const error = { '@message': text(withoutSecrets(words, keys)) }
  const testcase = { '@classname': 'conformance', '@name': 'the run', '@time': '0.000', error }
  return formatXml(name, { ...counts, testsuite: { '@name': 'conformance', ...counts, testcase } })
}

function formatXml(name: string, testsuites: object): string {
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: { '@name': text(`conformance of ${name}`), ...testsuites },
  })
}

function totals(outcomes: readonly Outcome[]): Record<string, string> {
  const count = (state: Outcome['state']) => String(outcomes.filter((outcome) => outcome.state === state).length)
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0)
  return {
    '@tests': String(outcomes.length),
    '@failures': count('failed'),
    '@errors': '0',
    '@skipped': count('not tried'),
    '@time': seconds.toFixed(3),
  }
}

function buildCase({ suite, title, state, words, seconds }: Outcome, keys: readonly string[]): object {
  const told = text(withoutSecrets(words, keys))
  const [line = ''] = told.split('\n')
  return {
    '@classname': text(suite),
    '@name': text(title),
    '@time': seconds.toFixed(3),
    ...(state === 'failed' && {
      failure: { '@message': line, '#text': told },
    }),
    ...(state === 'not tried' && { skipped: { '@message': line } }),
  }
}

/** XML has no way at all to write some characters. */
function text(any: string): string {
  return any.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
