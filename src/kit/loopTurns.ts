/** Work that begins as others please, such as requests: so much of it in one turn of the event loop, and the rest in the next turns. */

/** Resolves when there is room in a turn for work of that size, in the order of asking. What is larger than the room is the last in its turn. */
export type EnterTurn = (size: number) => Promise<void>

export function createLoopTurns(sizeMax: number): EnterTurn {
  const waiting: { size: number; begin: () => void }[] = []
  let begun = 0

  const next = () => {
    begun = 0
    let first = waiting[0]
    for (; first && begun < sizeMax; first = waiting[0]) {
      waiting.shift()
      begun += first.size
      first.begin()
    }
    if (begun > 0) setImmediate(next)
  }

  return (size) =>
    new Promise((begin) => {
      if (begun === 0) setImmediate(next)
      if (begun >= sizeMax) waiting.push({ size, begin })
      else {
        begun += size
        begin()
      }
    })
}
