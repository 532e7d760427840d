/** What a caller of the mock may ask for in the header `Prefer`: an answer of the contract, made-up values, and a wait before it. */
import type { IncomingMessage } from 'node:http'
import type { Binding } from '../../src/http/api/binding.ts'
import { exampleNames, readPreference } from '../../src/http/api/mock.ts'
import { Problem } from '../../src/kit/problem.ts'
import { type Delay, delayForm, readDelay } from './delay.ts'

/** @throws Problem `invalid_request` that names the answers that there are: of the status that is asked for, or all */
export function requireDocumented(binding: Binding, request: IncomingMessage): void {
  const [code, example] = ['code', 'example'].map((name) => readPreference(request, name))
  const answers = exampleNames(binding)
  const ofCode = answers.filter(([status]) => code === undefined || status === code)
  if (ofCode.some(([, names]) => example === undefined || names.includes(example))) return
  const known = ofCode.length > 0 ? ofCode : answers
  const list = known.map(([status, names]) => `code=${status} with example=${names.join(' or ')}`).join('; ')
  throw unknownPreference(`The contract has no such answer of ${binding.operationId}. It has ${list}.`)
}

/**
 * @param standard where the request does not ask for another one (`delay=800`)
 * @returns milliseconds
 * @throws Problem `invalid_request`
 */
export function parseDelay(request: IncomingMessage, standard: Delay = { from: 0, to: 0 }): number {
  const asked = readPreference(request, 'delay')
  const delay = asked === undefined ? standard : readDelay(asked)
  if (!delay) throw unknownPreference(`A delay is ${delayForm}.`)
  return delay.from + Math.random() * (delay.to - delay.from)
}

/** Whether the values are to be made up. @throws Problem `invalid_request` */
export function isDynamic(request: IncomingMessage, standard = false): boolean {
  const asked = readPreference(request, 'dynamic') ?? String(standard)
  if (asked !== 'true' && asked !== 'false') throw unknownPreference('The preference dynamic is true or false.')
  return asked === 'true'
}

function unknownPreference(message: string): Problem {
  return new Problem('invalid_request', { message, details: [{ field: 'header:Prefer', code: 'unknown', message }] })
}
