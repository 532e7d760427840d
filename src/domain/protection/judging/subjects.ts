/** What sends have in common, as far as a process remembers it: a country, a prefix, an address, with what was counted of it. */
import { createOwnedCache } from '../../../kit/ownedCache.ts'
import { countKeyOf } from '../../../store/protection/count.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import { type CounterRow, type CountSlot, type JudgedSend, makeKey } from '../counter.ts'
import type { AskedCounter, AskedSubject, RulesInForce } from '../known.ts'
import type { RuleSubject } from '../rule.ts'

export interface SubjectOwner {
  accountId: string
  mode: Mode
}

export interface Subject {
  counters: SubjectCounter[]
  /** Of the list that was asked last: another one may have other counters. */
  asked: AskedSubject | undefined
}

export interface SubjectCounter extends AskedCounter {
  countKey: string
  slots: CountSlot[]
  /** What sends add to it that are about to be made. */
  begun: readonly CounterRow[]
  /** Of the only send that this process has counted: other processes are told of it when there is a second one. */
  held: CounterRow | undefined
  isTold: boolean
}

export interface Subjects {
  /** Those of a send that its list of rules looks at. */
  of: (owner: SubjectOwner, inForce: Pick<RulesInForce, 'asked'>, send: JudgedSend) => Subject[]
  /** @returns undefined for one that is not remembered */
  find: (owner: SubjectOwner, by: RuleSubject, key: string) => Subject | undefined
}

/** Of all that is remembered, the part that one account may have while others need room. */
const accountPart = 1 / 4

/** @param max how many are remembered */
export function createSubjects(max: number): Subjects {
  const remembered = createOwnedCache<Subject>(max, Math.ceil(max * accountPart))

  function toSubject(owner: SubjectOwner, by: RuleSubject, key: string): Subject {
    const name = nameOf(owner, by, key)
    const known = remembered.get(name)
    if (known) return known
    const subject: Subject = { counters: [], asked: undefined }
    remembered.add(owner.accountId, name, subject)
    return subject
  }

  return {
    of: (owner, { asked }, send) => {
      const subjects: Subject[] = []
      for (const one of asked) {
        const key = makeKey(one.by, send)
        if (key === undefined) continue
        const subject = toSubject(owner, one.by, key)
        if (subject.asked !== one) ask(subject, one, (counter) => countKeyOf({ ...owner, counter, key }))
        subjects.push(subject)
      }
      return subjects
    },
    find: (owner, by, key) => remembered.peek(nameOf(owner, by, key)),
  }
}

/** Counts from now on what this list looks at; what an earlier list looked at stays. */
function ask(subject: Subject, asked: AskedSubject, countKeyFor: (counterId: string) => string): void {
  const { counters } = subject
  subject.asked = asked
  const own = asked.counters.map(({ id, counter }): SubjectCounter => {
    const known = counters.find((one) => one.id === id)
    // Another list may look further back.
    if (known) return Object.assign(known, { counter })
    return { id, counter, countKey: countKeyFor(id), slots: [], begun: [], held: undefined, isTold: false }
  })
  subject.counters = [...own, ...counters.filter((one) => !own.includes(one))]
}

function nameOf({ accountId, mode }: SubjectOwner, by: RuleSubject, key: string): string {
  return `${accountId}/${mode}/${by}/${key}`
}
