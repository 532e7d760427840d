/** The scenarios of opt-outs: see `scenarios.ts`. */
import type { OperationId } from '../../src/contract/operation.ts'
import type { Caller, Scenario } from './caller.ts'
import { but, compressed, tooLarge, withBadKeys, withoutScope, withTakenKey } from './refusals.ts'
import type { Request } from './request.ts'

export const optOutScenarios = {
  addOptOut: {
    200: { added: askOptOut, marketing: askOfMarketing, known: optOutOfOne },
    ...createRefusals('addOptOut', 'opt_outs:write'),
  },
  removeOptOut: { 200: { removed: optOutOfOne }, ...createRefusals('removeOptOut', 'opt_outs:write') },
  findOptOut: {
    200: { opted_out: optOutOfOne, not_opted_out: askOptOut },
    ...createRefusals('findOptOut', 'opt_outs:read'),
  },
}

/** What all of them refuse alike. */
function createRefusals(operationId: OperationId, scope: string) {
  return {
    400: badPhones(askOptOut),
    401: withBadKeys(askOptOut),
    403: { insufficient_scope: withoutScope(askOptOut, scope) },
    409: withTakenKey(askOptOut, operationId),
    413: tooLarge(askOptOut),
    415: compressed(askOptOut),
  }
}

/** Asks about a phone without a known opt-out. */
export async function askOptOut({ key, newPhone }: Caller): Promise<Request> {
  return { key, body: { phone: newPhone() } }
}

async function askOfMarketing({ key, newPhone }: Caller): Promise<Request> {
  return { key, body: { phone: newPhone(), category: 'marketing' } }
}

/** Asks about a phone that has opted out. */
async function optOutOfOne(caller: Caller): Promise<Request> {
  const one = await askOptOut(caller)
  await caller.ask('addOptOut', one)
  return one
}

function badPhones(scenario: Scenario) {
  return {
    invalid_request: but(scenario, { body: { phone: '+1 415 555 0100' } }),
    invalid_json: but(scenario, { body: '{' }),
    invalid_phone: but(scenario, { body: { phone: '+1415555010' } }),
  }
}
