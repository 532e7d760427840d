/** What is to happen at times to come, taken in the order of these: a binary heap. */

export interface Schedule<Item> {
  put: (at: number, item: Item) => void
  /** Those whose time has come, in its order. */
  takeUntil: (at: number) => Item[]
}

export function createSchedule<Item>(): Schedule<Item> {
  const heap: { at: number; item: Item }[] = []

  function swap(one: number, other: number): void {
    const kept = heap[one]!
    heap[one] = heap[other]!
    heap[other] = kept
  }

  function rise(place: number): void {
    const parent = (place - 1) >> 1
    if (place === 0 || heap[parent]!.at <= heap[place]!.at) return
    swap(place, parent)
    rise(parent)
  }

  function sink(place: number): void {
    const [left, right] = [2 * place + 1, 2 * place + 2]
    let least = place
    if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left
    if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right
    if (least === place) return
    swap(place, least)
    sink(least)
  }

  function takeFirst(): Item {
    const { item } = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      sink(0)
    }
    return item
  }

  return {
    put: (at, item) => {
      heap.push({ at, item })
      rise(heap.length - 1)
    },
    takeUntil: (at) => {
      const due: Item[] = []
      while (heap.length > 0 && heap[0]!.at <= at) due.push(takeFirst())
      return due
    },
  }
}
