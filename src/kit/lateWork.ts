/** Work that goes on when nobody waits for it any more: it holds what others need, and so there is no more than some of it. */

export interface LateWork {
  /** With so much of it, no more is to begin until some has ended. */
  isTooMuch: () => boolean
  /** @returns to be called when nobody waits for the work any more: from then until its end it is late */
  watch: (work: Promise<unknown>) => () => void
}

export function createLateWork(max: number): LateWork {
  let late = 0
  return {
    isTooMuch: () => late >= max,
    watch: (work) => {
      let isOver = false
      let isLate = false
      const end = () => {
        isOver = true
        if (isLate) late -= 1
      }
      work.then(end, end)
      return () => {
        if (isOver || isLate) return
        isLate = true
        late += 1
      }
    },
  }
}
