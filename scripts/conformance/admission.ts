/** Looks whether a run makes sense, before it begins. */
import { operationFacts, scopes } from '../../src/contract/document.ts'
import { type Deployment, nothing } from './deployment.ts'
import { Broken, cut, Unusable } from './finding.ts'
import type { Answer } from './judge.ts'
import { numberThatIs } from './testNumbers.ts'

/** @throws Unusable, which says what to do about it */
export async function admit(deployment: Deployment): Promise<void> {
  const { ask, key } = deployment
  for (const scope of scopes) {
    const facts = operationFacts.find(({ requiredScope }) => requiredScope === scope)!
    const answer = await reached(() => ask(facts.operationId, nothing(facts, key)))
    if (answer.status === 401) throw new Unusable('This deployment does not know the key, or it has ended.')
    if (answer.data.code === 'insufficient_scope')
      throw new Unusable(`The key lacks the scope ${scope}. A run needs one with every scope: ${scopes.join(', ')}.`)
    if (Object.keys(answer.data).length === 0)
      throw new Unusable(`Nothing at this address answers as Watchword: ${asTold(answer)}.`)
  }
  const answer = await reached(() => ask('sendVerification', { key, body: { phone: numberThatIs('delivered') } }))
  if (answer.data.code === 'country_not_allowed')
    throw new Unusable('This deployment does not send to the US, where the numbers for tests are (COUNTRIES_ALLOWED).')
}

async function reached(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Broken) throw new Unusable(`The deployment cannot be reached: ${error.message}. ${toStart}`)
    throw error
  }
}

const toStart =
  'Start it, or correct the address. On this machine, "npm start" starts one, and its test key is in .data/test-key.'

function asTold({ status, headers }: Answer): string {
  return cut(`${status} ${headers.get('content-type') ?? ''}`.trim())
}
