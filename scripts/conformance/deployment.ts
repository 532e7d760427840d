/** The deployment as its checks meet it: a caller with a test key, and all that was ever answered to it. */
import { randomInt } from 'node:crypto'
import { operationFacts } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import type { Caller } from './caller.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { Broken, cut, demand, NotTried, Unusable } from './finding.ts'
import { type Answer, createJudge } from './judge.ts'
import type { Request } from './request.ts'
import { numberThatIs } from './testNumbers.ts'

export interface Deployment extends Caller {
  ask: (operationId: OperationId, request: Request) => Promise<Answer>
  askFor: Exchange['askFor']
  readPage: Exchange['read']
  /** A code to this phone, with further fields of the body. @returns its request_id */
  send: (phone: string, more?: object) => Promise<string>
  check: (requestId: string, code: string) => Promise<Answer>
  read: (id: string) => Promise<Answer>
  /** Asks for the message until it has come to this status. @returns what was seen on the way */
  reached: (id: string, status: string) => Promise<Sight[]>
  wait: (seconds: number) => Promise<void>
  /** Of every operation, the faults of its answers, each once. */
  faults: ReadonlyMap<string, ReadonlySet<string>>
  /** How many answers there were, by operationId, status and what tells one from another: of an error, its code. */
  seen: ReadonlyMap<string, number>
  requests: () => number
  close: () => Promise<void>
}

/** A status as it was read. */
export interface Sight {
  status: string
  timestamp: string
}

export interface DeploymentParts {
  /** Without a slash at the end. */
  url: string
  key: string
  /** Of the same account and mode, with fewer scopes. */
  scopedKey: string | undefined
  /** For one answer, and for a message to come to a status. */
  timeoutSeconds: number
  /** Whether to wait until the time of a code is over. */
  long: boolean
  allowedHeaders: readonly string[]
  /** Ends the whole run, for an `Unusable` that says why. */
  deadline: AbortSignal
  wait: (seconds: number) => Promise<void>
}

/** Seconds between two looks at a message: the first are early, because most statuses come at once. */
const looks = [0.1, 0.2, 0.4, 0.8]
const lookSeconds = 1
const longLookSeconds = 15

/** As many faults as are kept of one operation: an answer of some megabytes may have more. */
const faultsMax = 1000

export const noOperation = 'no operation'

export function createDeployment(parts: DeploymentParts): Deployment {
  const { url, key, timeoutSeconds, deadline, wait } = parts
  const { faults, seen, onAnswer } = createRecord(parts.allowedHeaders)
  const exchange = createExchange({ url, timeoutSeconds, deadline, wait, onAnswer })
  const { ask, askFor } = exchange

  const send: Deployment['send'] = async (phone, more = {}) => {
    const answer = await ask('sendVerification', { key, body: { phone, ...more } })
    return requireId(answer, 'a send')
  }
  const read = (id: string) => ask('getMessage', { key, path: { id } })
  let overdue: Promise<string> | undefined

  return {
    key,
    ...createScopes(ask, parts),
    newPhone,
    welcome: createWelcome(ask, key),
    ask,
    askFor,
    readPage: exchange.read,
    send,
    check: (request_id, code) => ask('checkVerification', { key, body: { request_id, code } }),
    read,
    reached: (id, status) => watch({ read, wait }, id, { until: status, seconds: timeoutSeconds }),
    expired: () => {
      if (!parts.long) throw new NotTried('takes as long as a code is valid: only with --long')
      overdue ??= expire({ ask, key, read, wait, timeoutSeconds })
      return overdue
    },
    wait,
    faults,
    seen,
    requests: exchange.count,
    close: exchange.close,
  }
}

/** Outside of the range that behaves on purpose. */
function newPhone(): string {
  return `+1415${randomInt(2_000_000, 5_000_000)}`
}

function createRecord(allowedHeaders: readonly string[]) {
  const judge = createJudge(allowedHeaders)
  const faults = new Map<string, Set<string>>()
  const seen = new Map<string, number>()
  const onAnswer = (answer: Answer) => {
    const { operationId = noOperation, status, data } = answer
    // What is no text may not be made one: an object can have a `toString` that is no function.
    const code = typeof data.code === 'string' ? data.code : ''
    const name = cut(`${operationId} ${status} ${code}`.trim())
    seen.set(name, (seen.get(name) ?? 0) + 1)
    const known = faults.get(operationId) ?? new Set()
    faults.set(operationId, known)
    for (const fault of judge(answer)) if (known.size < faultsMax) known.add(cut(`${status}: ${fault}`))
  }
  return { faults, seen, onAnswer }
}

/** @throws Broken when it is no answer to something that was begun */
export function requireId({ status, data }: Answer, what: string): string {
  demand(
    status === 200 && typeof data.request_id === 'string',
    `${what} was answered ${status} ${data.code ?? ''}`.trim(),
  )
  return data.request_id
}

/** Which scopes a key lacks is not told anywhere: so it is tried, with a body that does nothing. */
function createScopes(ask: Deployment['ask'], { key, scopedKey }: Pick<DeploymentParts, 'key' | 'scopedKey'>) {
  const asked = new Map<string, Promise<Answer>>()
  const probe = (scope: string, tried: string) => {
    const facts = operationFacts.find(({ requiredScope }) => requiredScope === scope)!
    const name = `${scope} ${tried}`
    const answer = asked.get(name) ?? ask(facts.operationId, nothing(facts, tried))
    asked.set(name, answer)
    return answer
  }
  return {
    keyWith: async (scope: string): Promise<string> => {
      if ((await probe(scope, key)).status === 403)
        throw new NotTried(`needs a key with the scope ${scope}, which a key has only if it was chosen for it`)
      return key
    },
    keyWithout: async (scope: string): Promise<string> => {
      if (scopedKey === undefined) throw new NotTried('needs a second key that lacks a scope: --scoped-key')
      const { status } = await probe(scope, scopedKey)
      if (status === 401) throw new Unusable('This deployment does not know the second key, or it has ended.')
      if (status !== 403) throw new NotTried(`the second key has the scope ${scope}`)
      return scopedKey
    },
  }
}

/** The template that the default account starts with, if this account has it. */
function createWelcome(ask: Deployment['ask'], key: string): Caller['welcome'] {
  const welcome = { template: 'welcome', variables: { name: 'Ada' } }
  let probe: Promise<Answer> | undefined
  return async () => {
    probe ??= ask('sendNotification', { key, body: { phone: newPhone(), ...welcome } })
    const { code } = (await probe).data
    if (code === 'unknown_template' || code === 'invalid_variables')
      throw new NotTried('needs the template `welcome` with the one variable `name`, which this account does not have')
    return welcome
  }
}

/** A request that is refused as soon as somebody looks at it. */
export function nothing({ path, takesBody }: { path: string; takesBody: boolean }, key: string): Request {
  const places = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => [name, '-'])
  return { key, path: Object.fromEntries(places), ...(takesBody ? { body: {} } : { query: 'unknown=1' }) }
}

interface Watched {
  read: Deployment['read']
  wait: Deployment['wait']
}

/** @throws Broken when it does not come to that status in time */
async function watch(
  { read, wait }: Watched,
  id: string,
  { until, seconds, pause }: { until: string; seconds: number; pause?: number },
): Promise<Sight[]> {
  const sights: Sight[] = []
  for (let waited = 0, look = 0; ; look++) {
    const { status, data } = await read(id)
    demand(status === 200, `its message was answered ${status} ${data.code ?? ''}`.trim())
    sights.push({ status: String(data.status), timestamp: String(data.timestamp) })
    if (data.status === until) return sights
    const last = sights.at(-1)?.status
    if (waited >= seconds) throw new Broken(`it is ${last} after ${seconds} seconds, and never was ${until}`)
    const next = pause ?? looks[look] ?? lookSeconds
    await wait(next)
    waited += next
  }
}

/** Seconds that a status may come later than the time of its code is over. */
const sweepSeconds = 120

async function expire({
  ask,
  key,
  read,
  wait,
}: Watched & Pick<DeploymentParts, 'timeoutSeconds' | 'key'> & Pick<Deployment, 'ask'>) {
  const answer = await ask('sendVerification', { key, body: { phone: numberThatIs('stays `sent`, then `expired`') } })
  const id = requireId(answer, 'a send')
  const seconds = Number(answer.data.expires_in)
  const sights = await watch({ read, wait }, id, {
    until: 'expired',
    seconds: seconds + sweepSeconds,
    pause: longLookSeconds,
  })
  const others = sights.filter(({ status }) => !['sent', 'expired'].includes(status))
  demand(others.length === 0, `a message that nobody takes was ${others[0]?.status}`)
  return id
}
