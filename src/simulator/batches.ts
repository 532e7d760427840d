/** Gathers what comes in one moment, so that it goes together. */

export interface BatchesParts<Item, Result> {
  /** Milliseconds of a moment; 0: what is there already. */
  windowMs: number
  sizeMax: number
  /** Never throws. */
  flush: (key: string, items: Item[]) => Promise<Result>
}

/** @returns adds an item; resolves with what became of all that went with it */
export function createBatches<Item, Result>({ windowMs, sizeMax, flush }: BatchesParts<Item, Result>) {
  const open = new Map<string, { items: Item[]; result: Promise<Result> }>()

  return (key: string, item: Item): Promise<Result> => {
    const batch = open.get(key)
    if (batch && batch.items.length < sizeMax) {
      batch.items.push(item)
      return batch.result
    }
    const items = [item]
    const moment = new Promise<void>((resolve) => {
      if (windowMs === 0) setImmediate(resolve)
      else setTimeout(resolve, windowMs)
    })
    const result = moment.then(() => {
      if (open.get(key)?.items === items) open.delete(key)
      return flush(key, items)
    })
    open.set(key, { items, result })
    return result
  }
}
