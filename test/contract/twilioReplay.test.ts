/** Every answer that twilio-verify.yaml documents, asked for and judged by Dredd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedAnswers } from '../../scripts/contract/documented.ts'
import type { ContractDocument } from '../../src/contract/facts.ts'
import { type TwilioOperationId, twilioContract } from '../../src/contract/twilioDocument.ts'
import { expectHeaders, type Replayed, replay } from './replaying.ts'
import { openStage, type Stage } from './scenarios.ts'
import { namedTwilioScenarios } from './twilioScenarios.ts'

const documented = documentedAnswers<TwilioOperationId>(twilioContract as ContractDocument)
const playable = namedTwilioScenarios()

let stage: Stage
let replayed: Replayed
beforeAll(async () => {
  stage = await openStage()
  replayed = await replay({ document: twilioContract, documented, playable, stage })
})
afterAll(() => stage.close())

describe('the wire of Twilio Verify gives every answer that is documented, as it is documented', () => {
  it.each(documented)('$name', ({ name, response, example }) => {
    const { fault, actual } = replayed.verdicts.get(name) ?? { fault: 'Dredd did not ask for it' }
    expect(fault).toBe('')
    expect(withoutChance(JSON.parse(actual!.body))).toEqual(withoutChance(example))
    expectHeaders(new Headers(actual!.headers), response)
  })

  it('and has a scenario for each, and none for another', () => {
    expect([...playable.keys()].toSorted()).toEqual(documented.map(({ name }) => name).toSorted())
  })

  it('and Dredd played every scenario of it, and passed it', () => {
    const tests = playable.size
    expect(replayed.stats).toMatchObject({ tests, passes: tests, failures: 0, errors: 0, skipped: 0 })
  })
})

/** Without what no example can foretell. */
function withoutChance(body: object): unknown {
  const chance = [
    'sid',
    'service_sid',
    'account_sid',
    'attempt_sid',
    'to',
    'time',
    'date_created',
    'date_updated',
    'url',
  ]
  const text = JSON.stringify(body, (name, value) => {
    if (name === 'more_info') return String(value).split('/docs/')[1]
    return chance.includes(name) ? undefined : value
  })
  return JSON.parse(text)
}
