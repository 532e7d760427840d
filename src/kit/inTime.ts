/** Work that is not waited for longer than it is of use. */

/**
 * @param late what comes of it after so long, or throws; what the work comes to then, nobody hears
 * @throws what the work throws in time
 */
export function inTime<Value>(work: Promise<Value>, withinMs: number, late: () => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => Promise.resolve().then(late).then(resolve, reject), withinMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
