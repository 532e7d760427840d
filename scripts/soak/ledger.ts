/** What callers were told. At the end, the database must have it too. */

export interface Entry {
  phone: string
  kind: 'verification' | 'notification'
  /** What the API said became of the code. `unclear`: a check of the right code never got an answer. */
  end: 'open' | 'verified' | 'cancelled' | 'exhausted' | 'unclear'
}

export interface Ledger {
  acknowledge: (id: string, entry: Omit<Entry, 'end'>) => void
  /** Something is about to be sent to that phone: what is repeated by its key counts once. */
  sending: (phone: string) => void
  /** How often that was so. */
  sendsTo: (phone: string) => number
  /** A code to that phone was taken by the inlet, which tells no id. */
  posted: (phone: string) => void
  /** The phones of those. */
  posts: () => readonly string[]
  /** Of a message that was acknowledged. */
  conclude: (id: string, end: Entry['end']) => void
  entries: () => ReadonlyMap<string, Readonly<Entry>>
  /** One that is a while old, if there is any. */
  recent: () => string | undefined
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  const posts: string[] = []
  const sends = new Map<string, number>()
  let last: string | undefined
  return {
    acknowledge: (id, entry) => {
      entries.set(id, { ...entry, end: 'open' })
      last = id
    },
    sending: (phone) => sends.set(phone, (sends.get(phone) ?? 0) + 1),
    sendsTo: (phone) => sends.get(phone) ?? 0,
    posted: (phone) => posts.push(phone),
    posts: () => posts,
    conclude: (id, end) => {
      entries.get(id)!.end = end
    },
    entries: () => entries,
    recent: () => last,
  }
}
