/** What `providers check` says of members that can never have an effect. */
import { expect, it } from 'vitest'
import { checkProviderFile, readProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'

const fileWith = (answer: string) => `provider: acme
title: Acme SMS
settings: {}
request:
  url: https://api.acme.example/send
answer:
  ${answer.replaceAll('\n', '\n  ')}
`

const faultsOf = (answer: string) =>
  checkProviderFile(fileWith(answer)).faults?.map((fault) => textOfFault(fault, 'acme.yaml')) ?? []

const nothing = 'a pointer leads to nothing with as: text'

it('names each pointer into an answer that is a text: there is no id, error or price to find', () => {
  const answer = `as: text
id: /2
error: [/1, /0]
price: { amount: /3, currency: EUR }
retry_after: /4
rules:
  - { when: { text: "OK*" }, is: sent }
  - { when: { status: 200, /0: "ERR" }, is: down }`
  expect(faultsOf(answer)).toEqual([
    ...['8: answer.id', '9: answer.error', '10: answer.price', '11: answer.retry_after'].map(
      (place) => `acme.yaml:${place}: ${nothing}: leave it out`,
    ),
    `acme.yaml:14: answer.rules, entry 2, when./0: ${nothing}: write text or status`,
  ])
  expect(faultsOf('as: text\nrules: [{ when: { status: 2xx, text: ["OK", "0:*", "*"] }, is: sent }]')).toEqual([])
})

it('names a rule that waits for the text of an answer that is read as JSON or as a form', () => {
  for (const as of ['json', 'form']) {
    expect(faultsOf(`as: ${as}\nrules: [{ when: { text: "OK*" }, is: sent }]`)).toEqual([
      'acme.yaml:8: answer.rules, entry 1, when.text: is there with as: text only',
    ])
  }
})

it.each(['*credit', 'no*credit', '*credit*', '**'])('names a value with "*" elsewhere than at its end: %s', (value) => {
  expect(faultsOf(`as: text\nrules: [{ when: { text: ["OK", "${value}"] }, is: down }]`)).toEqual([
    'acme.yaml:8: answer.rules, entry 1, when.text: must have "*" at the end only: it stands for itself elsewhere',
  ])
})

it('leaves connections alone that have such a file already', () => {
  const kept = fileWith('as: text\nid: /2\nrules: [{ when: { text: "*credit*" }, is: down }]')
  expect(readProviderFile(kept).faults).toBe(undefined)
})
