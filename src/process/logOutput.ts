/**
 * Where log lines go: out of the process, in bulk, so that a request costs no system call for its line. A reader that is slow
 * or gone holds nobody up and makes the process no larger: lines are lost then, and how many.
 */
import { writeSync } from 'node:fs'
import { type DestinationStream, symbols } from 'pino'

export interface LogOutput extends DestinationStream {
  /** Writes, between the lines of the log and at once, what is for whoever reads along. */
  print: (text: string) => void
  /** Writes what waits, as far as it is taken. */
  flush: () => void
  /** The same, for a process that ends: it gives a slow reader a moment. */
  end: () => void
}

/** Milliseconds for which a line may wait for others, when one came out just before it. */
const gatherMs = 250
/** Milliseconds after which what was not taken is offered again. */
const retryMs = 100
/** Milliseconds that a process which ends waits for its reader. */
const endMs = 1000
const warnLevel = 40
/** Bytes that Linux takes into a pipe in one piece: lines of processes that share it do not mix. */
const pieceBytes = 4096
/** Bytes that may wait to be taken. */
const heldBytesMax = 4 * 1024 * 1024

export interface LogOutputParts {
  /** Must not block; that of `process.stdout` does not when it is a pipe. */
  fd: number
  /** Told of the lines that found no place, when there is place again. */
  onLost: (lines: number) => void
  /** What is written for a line of JSON; itself when left out. */
  format?: ((line: string) => string) | undefined
}

/** The first line after a silence comes out at once, and so do warnings and errors. */
export function createLogOutput({ fd, onLost, format }: LogOutputParts): LogOutput {
  const held = createHeld()
  let lostLines = 0
  let refusal: string | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    try {
      while (held.bytes() > 0) held.drop(writeSync(fd, held.next()))
      refusal = undefined
    } catch (error) {
      refusal = (error as NodeJS.ErrnoException).code
    }
    clearTimeout(timer)
    timer = setTimeout(onTime, refusal ? retryMs : gatherMs).unref()
    if (refusal || lostLines === 0) return
    const lines = lostLines
    lostLines = 0
    onLost(lines)
  }

  const onTime = () => {
    timer = undefined
    if (held.bytes() > 0) flush()
  }

  const add = (text: string) => {
    const bytes = Buffer.byteLength(text)
    if (held.bytes() + bytes > heldBytesMax) {
      lostLines += 1
      return
    }
    if (!held.hasRoom(bytes) && !refusal) flush()
    held.add(text, bytes)
  }

  const output: LogOutput & { [symbols.needsMetadataGsym]: true; lastLevel: number } = {
    // Has pino tell the level of a line in `lastLevel`.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line) => {
      add(format ? format(line) : line)
      if (!timer || (!refusal && output.lastLevel >= warnLevel)) flush()
    },
    print: (text) => {
      add(text)
      if (!refusal) flush()
    },
    flush,
    end: () => {
      const givenUpAt = performance.now() + endMs
      const sleeper = new Int32Array(new SharedArrayBuffer(4))
      for (flush(); refusal === 'EAGAIN' && performance.now() < givenUpAt; flush()) Atomics.wait(sleeper, 0, 0, 20)
    },
  }
  return output
}

/** Whole lines that wait, gathered into pieces. */
function createHeld() {
  const pieces: string[] = []
  let lastPieceBytes = 0
  /** Of the first piece, what was not taken with its beginning. */
  let rest = Buffer.alloc(0)
  let heldBytes = 0
  /** Whether a line of that length fits into the last piece. */
  const hasRoom = (bytes: number) => pieces.length > 0 && lastPieceBytes + bytes <= pieceBytes
  return {
    bytes: () => heldBytes,
    hasRoom: (bytes: number) => heldBytes === 0 || hasRoom(bytes),
    add: (line: string, bytes: number) => {
      if (hasRoom(bytes)) {
        pieces[pieces.length - 1] += line
        lastPieceBytes += bytes
      } else {
        pieces.push(line)
        lastPieceBytes = bytes
      }
      heldBytes += bytes
    },
    /** The first piece, or what is left of it. */
    next: () => {
      if (rest.length === 0) rest = Buffer.from(pieces.shift() ?? '')
      return rest
    },
    /** Forgets so much of the first piece. */
    drop: (bytes: number) => {
      rest = rest.subarray(bytes)
      heldBytes -= bytes
    },
  }
}
