/** The scenarios of opt-outs: see `scenarios.ts`. */
import type { Caller, Scenario } from './caller.ts'
import { but, compressed, tooLarge, withBadKeys, withoutScope, withTakenKey } from './refusals.ts'
import type { Request } from './request.ts'

export const optOutScenarios = {
  addOptOut: {
    200: { added: askOptOut, known: optOutOfOne },
    400: badPhones(askOptOut),
    401: withBadKeys(askOptOut),
    403: { insufficient_scope: withoutScope(askOptOut, 'opt_outs:write') },
    409: withTakenKey(askOptOut, 'addOptOut'),
    413: tooLarge(askOptOut),
    415: compressed(askOptOut),
  },
  removeOptOut: {
    200: { removed: optOutOfOne },
    400: badPhones(askOptOut),
    401: withBadKeys(askOptOut),
    403: { insufficient_scope: withoutScope(askOptOut, 'opt_outs:write') },
    409: withTakenKey(askOptOut, 'removeOptOut'),
    413: tooLarge(askOptOut),
    415: compressed(askOptOut),
  },
  findOptOut: {
    200: { opted_out: optOutOfOne, not_opted_out: askOptOut },
    400: badPhones(askOptOut),
    401: withBadKeys(askOptOut),
    403: { insufficient_scope: withoutScope(askOptOut, 'opt_outs:read') },
    409: withTakenKey(askOptOut, 'findOptOut'),
    413: tooLarge(askOptOut),
    415: compressed(askOptOut),
  },
}

/** Asks about a phone of which nothing is known. */
export async function askOptOut({ key, newPhone }: Caller): Promise<Request> {
  return { key, body: { phone: newPhone() } }
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
