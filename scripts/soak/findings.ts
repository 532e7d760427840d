/** What was found that must not be: each kind once, with an example and how often it came. */

export interface Finding {
  what: string
  count: number
  /** The first one. */
  example: string
}

export interface Findings {
  add: (what: string, example?: string) => void
  list: () => Finding[]
}

export function createFindings(): Findings {
  const found = new Map<string, Finding>()
  return {
    add: (what, example = '') => {
      const known = found.get(what)
      if (known) known.count++
      else found.set(what, { what, count: 1, example: example.slice(0, 500) })
    },
    list: () => [...found.values()],
  }
}
