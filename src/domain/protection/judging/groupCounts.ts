/** What was counted for sends that are judged together. */
import type { Reader } from '../../../store/engine/session.ts'
import { type AskedCount, countKeyOf, findCounts } from '../../../store/protection/count.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import { type Counter, type JudgedSend, keyOf } from '../counter.ts'
import { createCounts, type KeptCounts } from '../counts.ts'
import type { RulesInForce } from '../known.ts'
import { rowOf, sinceOf } from './countryCounts.ts'

interface Owner {
  accountId: string
  mode: Mode
  inForce: RulesInForce
}

export interface GroupSend {
  send: Owner & { phone: string }
  judged: JudgedSend
}

/**
 * The sends of an account share their counts, so that each sees those before it; those that came before its list of rules was
 * changed have counts of their own.
 */
export interface GroupCounts {
  counts: Map<RulesInForce, Map<string, KeptCounts>>
  wereVerified: boolean[]
  /** The accounts of which so much was counted that others should not wait for it. */
  heavy: string[]
}

interface AskedSlots extends AskedCount {
  accountId: string
  /** Where they go, and under which counter and key. */
  counts: KeptCounts
  of: Counter
  key: string
}

/** Countries and numbers of an account that are read within a few milliseconds. */
const namesMax = 5000

export async function findGroupCounts(reader: Reader, list: readonly GroupSend[], now: Date): Promise<GroupCounts> {
  const asked = new Map<KeptCounts, Map<string, AskedSlots>>()
  const counts: GroupCounts['counts'] = new Map()
  for (const { send, judged } of list) {
    const own = ownCounts(counts, send)
    const askedOfOwn = asked.get(own) ?? new Map<string, AskedSlots>()
    asked.set(own, askedOfOwn)
    for (const { id, counter } of send.inForce.asked) {
      const key = keyOf(counter.by, judged)
      if (key === undefined) continue
      const { accountId, mode } = send
      const countKey = countKeyOf({ accountId, mode, counter: id, key })
      if (!askedOfOwn.has(countKey))
        askedOfOwn.set(countKey, { accountId, countKey, since: sinceOf(counter, now), counts: own, of: counter, key })
    }
  }
  const all = [...asked.values()].flatMap((one) => [...one.values()])
  const found = await findCounts(
    reader,
    all,
    list.map(({ send }) => send),
  )
  const names = new Map<string, number>()
  for (const one of found.counts) {
    const { accountId, counts: own, of, key } = all[one.place]!
    own.add([rowOf(of, key, one)])
    names.set(accountId, (names.get(accountId) ?? 0) + one.countries.length + one.numbers.length)
  }
  const heavy = [...names].flatMap(([accountId, count]) => (count > namesMax ? accountId : []))
  return { counts, wereVerified: found.wereVerified, heavy }
}

export function ownCounts(counts: GroupCounts['counts'], { accountId, mode, inForce }: Owner): KeptCounts {
  const byOwner = counts.get(inForce) ?? new Map<string, KeptCounts>()
  counts.set(inForce, byOwner)
  const owner = `${accountId} ${mode}`
  const own = byOwner.get(owner) ?? createCounts(inForce.counters)
  byOwner.set(owner, own)
  return own
}
