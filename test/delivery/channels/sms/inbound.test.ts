/** What a provider file says of replies, and what is wrong with it. */
import { expect, it } from 'vitest'
import { checkProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { compileReport } from '../../../../src/delivery/channels/sms/report.ts'
import { acme } from './acme.ts'

const inbound = 'inbound: { when: { /kind: in }, id: /id, from: /from, to: /to, text: /text }\n'
const withInbound = (text: string, examples = '') => acme.replace('probe:\n', `${text}probe:\n`) + examples
const faultsOf = (text: string) =>
  (checkProviderFile(text).faults ?? []).map(({ path, line, fault }) => [line, path.join('.'), fault])
const lineOf = (text: string, words: string) => text.slice(0, text.indexOf(words)).split('\n').length

it('a file may say how replies come, with an example of what each means', () => {
  const example = `  - report: { body: { kind: in, from: "14155550100", text: "Stop!" } }
    gives: [ { reply: stop, from: "+14155550100" } ]
  - report: { body: { kind: in, from: "14155550100", text: "Thanks" } }
    gives: [ { reply: other } ]
`
  expect(faultsOf(withInbound(inbound, example))).toEqual([])
})

it.each([
  ['no from', inbound.replace('from: /from, ', ''), 'inbound'],
  ['no text', inbound.replace(', text: /text', ''), 'inbound'],
  ['a place that is no pointer', inbound.replace('text: /text', 'text: text'), 'inbound.text'],
  ['a when of an HTTP status', inbound.replace('/kind', 'status'), 'inbound.when.status'],
  ['a flag without its words', inbound.replace('text: /text', 'text: /text, flag: { at: /word }'), 'inbound.flag.stop'],
  ['a member that is not known', inbound.replace('id: /id', 'ident: /id'), 'inbound.ident'],
])('%s is named with its line', (_what, wrong, path) => {
  const text = withInbound(wrong)
  const faults = faultsOf(text)
  expect(faults.map(([, at]) => at)).toContainEqual(expect.stringContaining(path))
  expect(faults[0]?.[0]).toBe(lineOf(text, 'inbound:'))
})

it('replies need a report, whose form and signature are theirs too', () => {
  const text = withInbound(inbound)
    .replace(/report:\n( {2}.*\n)+/, '')
    .replace(/ {2}- report:.*\n.*gives.*\n/g, '')
  expect(faultsOf(text)).toContainEqual([lineOf(text, 'inbound:'), 'inbound', expect.stringMatching(/^needs a report/)])
})

it('an example that gives another reply is named with its line', () => {
  const text = withInbound(
    inbound,
    '  - report: { body: { kind: in, from: "14155550100", text: "Hi" } }\n    gives: [ { reply: stop } ]\n',
  )
  expect(faultsOf(text)).toEqual([
    [lineOf(text, 'gives: [ { reply: stop'), expect.any(String), 'reply is other, not stop'],
  ])
})

it("a provider's own flag comes before the text", () => {
  const form = { from: '/from', text: '/text', flag: { at: '/word', stop: ['OPTOUT'], start: 'OPTIN' } }
  const report = { as: 'json', status: '/s', map: {}, codes: {}, signature: { scheme: 'url-token' } } as const
  const meaning = (more: object) => {
    const read = compileReport(report, { inbound: form })(
      Buffer.from(JSON.stringify({ from: '14155550100', ...more })),
      '',
    )
    return [...read.told].map((told) => told && 'reply' in told && told.reply)
  }
  expect(meaning({ text: 'no more', word: 'OPTOUT' })).toEqual(['stop'])
  expect(meaning({ text: 'STOP', word: 'OPTIN' })).toEqual(['start'])
  expect(meaning({ text: 'STOP', word: 'HELP' })).toEqual(['stop'])
  expect(meaning({ word: 'OPTOUT' })).toEqual(['stop'])
})
