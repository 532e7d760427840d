/** Work that is not waited for longer than it is of use. */

/**
 * Where the process was busy for so long, what came meanwhile is still taken: the loop hears of it behind its timers.
 *
 * @param late what comes of it after so long, or throws; what the work comes to then, nobody hears
 * @throws what the work throws in time
 */
export function inTime<Value>(work: Promise<Value>, withinMs: number, late: () => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const giveUp = () => {
      if (!isOver) Promise.resolve().then(late).then(resolve, reject)
    }
    const timer = setTimeout(() => setImmediate(giveUp), withinMs)
    const end = () => {
      isOver = true
      clearTimeout(timer)
    }
    work.then(resolve, reject).finally(end)
  })
}
