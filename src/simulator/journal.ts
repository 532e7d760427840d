/** What went wrong lately, for who looks on: what the providers refused, and reports that nobody took. */

export interface Entry {
  at: Date
  about: 'whatsapp' | 'telegram' | 'sms' | 'report'
  text: string
  /** How often it came in a row. */
  count: number
}

export interface Journal {
  note: (about: Entry['about'], text: string) => void
  /** Newest first. */
  entries: () => Entry[]
}

export interface JournalParts {
  now: () => Date
  /** Called each time; `count` is above 1 for what comes again at once. */
  onNote: (entry: Entry) => void
}

const entriesMax = 50

export function createJournal({ now, onNote }: JournalParts): Journal {
  const entries: Entry[] = []
  return {
    note: (about, text) => {
      const last = entries.at(-1)
      if (last?.about === about && last.text === text) {
        last.count++
        last.at = now()
        onNote(last)
        return
      }
      const entry = { at: now(), about, text, count: 1 }
      entries.push(entry)
      if (entries.length > entriesMax) entries.shift()
      onNote(entry)
    },
    entries: () => entries.toReversed(),
  }
}
