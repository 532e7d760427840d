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

/** @param name of the deployment */
export function junitOf(name: string, outcomes: readonly Outcome[]): string {
  const suites = Map.groupBy(outcomes, ({ suite }) => suite)
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': text(`conformance of ${name}`),
      ...totals(outcomes),
      testsuite: Array.from(suites, ([suite, members]) => ({
        '@name': text(suite),
        ...totals(members),
        testcase: members.map(caseOf),
      })),
    },
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

function caseOf({ suite, title, state, words, seconds }: Outcome): object {
  const [line = ''] = words.split('\n')
  return {
    '@classname': text(suite),
    '@name': text(title),
    '@time': seconds.toFixed(3),
    ...(state === 'failed' && {
      failure: { '@message': text(withoutSecrets(line)), '#text': text(withoutSecrets(words)) },
    }),
    ...(state === 'not tried' && { skipped: { '@message': text(withoutSecrets(line)) } }),
  }
}

/** XML has no way at all to write some characters. */
function text(any: string): string {
  return any.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
