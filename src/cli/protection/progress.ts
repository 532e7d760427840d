/** How far a long command is: one line that changes, or where nobody looks at a terminal, a line now and then. */

export interface CommandProgress {
  /** @param about how many there are in all, as far as that is known */
  tell: (done: number, about: number) => void
  end: () => void
}

interface Output {
  isTTY?: boolean
  write: (text: string) => unknown
}

/** Milliseconds between two lines: where they replace each other, and where they stay. */
const apartMs = { terminal: 200, lines: 10_000 }

/** @param elapsedMs milliseconds since any moment */
export function createProgress(output: Output, elapsedMs: () => number): CommandProgress {
  const isTerminal = output.isTTY === true
  let toldAt = elapsedMs()
  let isOpen = false
  return {
    tell: (done, about) => {
      if (elapsedMs() - toldAt < (isTerminal ? apartMs.terminal : apartMs.lines)) return
      toldAt = elapsedMs()
      const text = `Read ${counted(done)} of about ${counted(Math.max(done, about))} messages.`
      output.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`)
      isOpen = isTerminal
    },
    end: () => {
      if (isOpen) output.write('\r\u001b[K')
      isOpen = false
    },
  }
}

function counted(count: number): string {
  return count.toLocaleString('en')
}
