/** Idempotency keys: work is done once, and its answer kept in the transaction that does it. */
import { type ErrorCode, Problem } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Commit, DraftKind } from '../../store/engine/commit.ts'
import type { Reader, Tx } from '../../store/engine/session.ts'
import { type Group, isAnyOpen, runSteps, type Step } from '../../store/engine/step.ts'
import {
  claimIdempotencyKeys,
  findKeptAnswers,
  giveBackKeys,
  type IdempotencyKey,
  type KeptAnswer,
  type KeptKey,
  keepAnswers,
} from '../../store/sending/idempotency.ts'
import { computeHmac } from '../access/hmac.ts'
import type { BlindIndex } from '../access/keyring.ts'
import { createMissingSecret, type MissingSecret } from '../access/missingSecret.ts'
import type { Secrets } from '../access/secret.ts'

/** The `Idempotency-Key` of a request. */
export interface Once extends IdempotencyKey {
  /** The request's body: another one under the same key is refused. */
  body: Buffer
  /** Its answers have what no database should have in the clear, such as phones. */
  keepsSealed?: boolean
  /** Milliseconds for which a request under this key is a repeat; as long as answers are kept when left out. */
  repeatMs?: number | undefined
  /** What is answered to an outcome, as it is sent. */
  answerTo: (outcome: unknown) => KeptAnswer
}

export interface Keyed {
  once?: Once | undefined
  /** Its answer is kept encrypted: it has what no database should have in the clear. */
  keepsSealed?: boolean
}

/** An answer that was given before under the same key. */
export class Replay {
  readonly answer: KeptAnswer

  constructor(answer: KeptAnswer) {
    this.answer = answer
  }
}

/** What becomes of a draft: what it wanted, a refusal, or what was answered before. */
export type KeyedOutcome<Done, Code extends ErrorCode = ErrorCode> = Done | Problem<Code> | Replay

/** Why a key could not be claimed; `service_unavailable` where the secret is missing that could tell whether it is the same request. */
export type KeyRefusal = 'idempotency_key_reused' | 'idempotency_in_progress' | 'service_unavailable'

/** The drafts of a moment that share a transaction. */
export interface KeyedKind<Draft, Outcome>
  extends Pick<DraftKind<Draft, Outcome>, 'conflictOf' | 'ownerOf' | 'isIsolated'> {
  /** What their transaction does, with `claimKeys` first and `keepAnswers` last. Made for each group. */
  steps: () => readonly Step<Draft, Outcome>[]
}

/** The part of keys in a transaction. Both are for one group. */
export interface KeySteps {
  /** Claims keys. Repeats get their first answer. */
  claimKeys: Step<Keyed, Problem<KeyRefusal> | Replay>
  /** Keeps the answers of all others under their keys. */
  keepAnswers: Step<Keyed, never>
}

export interface Idempotency {
  /** When the process dies on the way, nothing of a transaction is done, and no answer kept. */
  steps: () => KeySteps
  /** Like `commit.share`, for drafts that may carry a key. */
  share: <Draft extends Keyed, Outcome>(
    kind: KeyedKind<Draft, Outcome | Problem<KeyRefusal> | Replay>,
  ) => (draft: Draft) => Promise<Outcome | Problem<KeyRefusal> | Replay>
  /** Refuses before anything is asked of the database. Under a key, that is an answer to be kept too. */
  refuse: <Code extends ErrorCode>(keyed: Keyed, problem: Problem<Code>) => Promise<Problem<Code | KeyRefusal> | Replay>
}

/** Milliseconds that an answer is kept. */
export const idempotencyKeptMs = 24 * 3600 * 1000

/** Whether an answer is kept: not one that may be different the next time, also where a door gives another status to its code. */
function isKept(outcome: unknown, { status }: KeptAnswer): boolean {
  return isLasting(status) && !(outcome instanceof Problem && !isLasting(outcome.status))
}

function isLasting(status: number): boolean {
  return status < 500 && status !== 401 && status !== 403 && status !== 429
}

export interface IdempotencyParts {
  commit: Commit
  secrets: Secrets
  lookup: BlindIndex
  runtime: Pick<Runtime, 'now' | 'log'>
}

export function createIdempotency(parts: IdempotencyParts): Idempotency {
  const { commit, runtime } = parts
  /** The keys whose work this process has begun. */
  const underWay = new Set<string>()
  const missingSecret = createMissingSecret(runtime.log)
  const findAnswer = createFindAnswer(parts, missingSecret)
  const steps = () => createKeySteps(parts, missingSecret)

  const share: Idempotency['share'] = <Draft extends Keyed, Outcome>({
    steps: stepsOfGroup,
    ...kind
  }: KeyedKind<Draft, Outcome | Problem<KeyRefusal> | Replay>) => {
    const submit = commit.share<Draft, Outcome | Problem<KeyRefusal> | Replay>({
      ...kind,
      work: (tx, drafts) => runSteps(tx, drafts, stepsOfGroup()),
    })
    return async (draft: Draft) => {
      if (!draft.once) return submit(draft)
      const name = nameOf(draft.once)
      // What runs may itself be a repeat of work that is done: then its answer is there already.
      if (underWay.has(name)) return findAnswer(draft.once)
      underWay.add(name)
      try {
        return await submit(draft)
      } finally {
        underWay.delete(name)
      }
    }
  }

  const keepRefusal = share<Keyed & { once: Once; problem: Problem }, Problem>({
    ownerOf: ({ once }) => once.accountId,
    steps: () => {
      const { claimKeys, keepAnswers } = steps()
      return [claimKeys, refuseAll, keepAnswers]
    },
  })

  const refuse = async <Code extends ErrorCode>({ once }: Keyed, problem: Problem<Code>) => {
    // Also one that is not kept: under this key, something else may have been answered before.
    if (!once) return problem
    return (await keepRefusal({ once, problem })) as Problem<Code | KeyRefusal> | Replay
  }

  return { steps, share, refuse }
}

const refuseAll: Step<{ problem: Problem }, Problem> = {
  isNeeded: isAnyOpen,
  run: (_tx, group) => group.open().forEach((draft) => void group.decide(draft, draft.problem)),
}

function createKeySteps({ secrets, lookup, runtime }: IdempotencyParts, missingSecret: MissingSecret): KeySteps {
  let ours: ReadonlyMap<Keyed, KeptKey> = new Map()
  return {
    claimKeys: {
      isNeeded: (group) => group.open().some(({ once }) => once),
      run: async (tx, group) => {
        const at = runtime.now()
        const keyed = group.open().filter((draft): draft is Keyed & { once: Once } => draft.once !== undefined)
        const wanted = new Map(keyed.map(({ once }) => [once, toKeptKey(once, lookup, at)]))
        // To claim a key never waits, so the order of two is no matter.
        const answered = await answerAll(wanted, at, (list, since) =>
          claim(tx, list, { secrets, missingSecret, at, since }),
        )
        for (const draft of keyed) {
          const answer = answered.get(draft.once)
          if (answer) group.decide(draft, answer)
        }
        const free = keyed.filter(({ once }) => !answered.has(once))
        ours = new Map(free.map((draft) => [draft, wanted.get(draft.once)!]))
      },
    },
    keepAnswers: {
      isNeeded: () => ours.size > 0,
      run: (tx, group) => keep(tx, ours, group, secrets),
    },
  }
}

/** @returns what is to be answered under a key that is taken, also by a request of this process */
function createFindAnswer({ commit, secrets, lookup, runtime }: IdempotencyParts, missingSecret: MissingSecret) {
  return commit.shareReads<Once, Problem<KeyRefusal> | Replay>({
    ownerOf: ({ accountId }) => accountId,
    work: async (reader, drafts) => {
      const at = runtime.now()
      const asked = new Map(drafts.map((once) => [once, toKeptKey(once, lookup, at)]))
      const answered = await answerAll(asked, at, (list, since) =>
        findAnswers(reader, list, { secrets, missingSecret, since }),
      )
      return drafts.map((once) => answered.get(once)!)
    },
  })
}

type Answered = Map<Once, Problem<KeyRefusal> | Replay>

/** Asks for the keys in lists of those that are kept for the same time: most groups have one. */
async function answerAll(
  keys: ReadonlyMap<Once, KeptKey>,
  at: Date,
  answer: (list: readonly [Once, KeptKey][], since: Date) => Promise<Answered>,
): Promise<Answered> {
  const answered: Answered = new Map()
  for (const [repeatMs, list] of Map.groupBy(keys, ([once]) => once.repeatMs ?? idempotencyKeptMs)) {
    const since = new Date(at.getTime() - repeatMs)
    for (const [once, given] of await answer(list, since)) answered.set(once, given)
  }
  return answered
}

interface AnswerParts {
  secrets: Secrets
  missingSecret: MissingSecret
  since: Date
}

/** @returns what is to be answered under each key that is not ours */
async function claim(
  tx: Tx,
  wanted: readonly [Once, KeptKey][],
  { at, ...parts }: AnswerParts & { at: Date },
): Promise<Answered> {
  const { secrets, since } = parts
  const drafts = wanted.map(([{ body }, key]) => ({ ...key, fingerprint: secrets.sign('fingerprint', body) }))
  const ours = await claimIdempotencyKeys(tx, drafts, at, since)
  const taken = wanted.filter((_one, index) => !ours[index])
  return taken.length > 0 ? findAnswers(tx, taken, parts) : new Map()
}

/** @returns the first answer under each key that is taken; where there is none yet, that its request is still running */
async function findAnswers(
  reader: Reader,
  taken: readonly [Once, KeptKey][],
  { secrets, missingSecret, since }: AnswerParts,
): Promise<Answered> {
  const kept = await findKeptAnswers(
    reader,
    taken.map(([, key]) => key),
    since,
  )
  return new Map(
    taken.map(([once], index): [Once, Problem<KeyRefusal> | Replay] => {
      const found = kept[index]
      if (!found) return [once, new Problem('idempotency_in_progress')]
      if (!secrets.holds(found.fingerprintKeyId)) return [once, missingSecret(found.fingerprintKeyId)]
      const same = secrets.verify('fingerprint', found.fingerprint, found.fingerprintKeyId, once.body)
      return [once, same ? new Replay(opened(found, once, secrets)) : new Problem('idempotency_key_reused')]
    }),
  )
}

/** Keeps the answers that would come again, and frees the keys of the others. */
function keep(
  tx: Tx,
  keys: ReadonlyMap<Keyed, KeptKey>,
  group: Pick<Group<Keyed, never>, 'outcomeOf'>,
  secrets: Secrets,
): void {
  const kept: (KeptKey & KeptAnswer)[] = []
  const freed: KeptKey[] = []
  for (const [draft, key] of keys) {
    const once = draft.once!
    const outcome = group.outcomeOf(draft)
    const given = once.answerTo(outcome)
    const answer = draft.keepsSealed || once.keepsSealed ? sealed(given, once, secrets) : given
    if (isKept(outcome, given)) kept.push({ ...key, ...answer })
    else freed.push(key)
  }
  keepAnswers(tx, kept)
  giveBackKeys(tx, freed)
}

/** No JSON begins with it. */
const sealedMark = 'sealed '
const sealContextOf = (once: IdempotencyKey) => `kept answer ${nameOf(once)}`

function sealed({ status, body }: KeptAnswer, once: Once, secrets: Secrets): KeptAnswer {
  return { status, body: sealedMark + secrets.seal(body, sealContextOf(once)).toString('base64') }
}

/** Whether it was sealed or not. Its fingerprint was made under the same secret, so that is held. */
function opened({ status, body }: KeptAnswer, once: Once, secrets: Secrets): KeptAnswer {
  if (!body.startsWith(sealedMark)) return { status, body }
  return { status, body: secrets.open(Buffer.from(body.slice(sealedMark.length), 'base64'), sealContextOf(once)) }
}

/**
 * A caller may put a phone into a key, so it is kept as an HMAC. While the version before may run beside this one it is kept in the
 * clear, as that finds it; each form is looked for at all times. No key of a caller has a space.
 */
function toKeptKey(once: IdempotencyKey, { key, hashedFrom }: BlindIndex, at: Date): KeptKey {
  const { accountId, mode, operation } = once
  const lock = nameOf(once)
  const hashed = `hmac ${computeHmac(key, [lock]).toString('base64url')}`
  const [own, otherKey] = at < hashedFrom ? [once.key, hashed] : [hashed, once.key]
  return { accountId, mode, operation, key: own, otherKey, lock }
}

function nameOf({ accountId, mode, operation, key }: IdempotencyKey): string {
  return JSON.stringify([accountId, mode, operation, key])
}
