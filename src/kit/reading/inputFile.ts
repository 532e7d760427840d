/** A file that an operator names: a pipe too, as `<(sops --decrypt channels.yaml)` of a shell is one. */
import { constants, type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Until a program begins to write into a pipe. */
const silentMs = 5000
const againMs = 20
const chunkBytes = 64 * 1024

/**
 * Holds no more than `bytesMax`, whatever is behind the path, and waits for no pipe that has no writer.
 *
 * @throws an error with a code that `fileWords` has a sentence for; `EFBIG` for a longer file
 */
export async function readInput(path: string, bytesMax: number): Promise<Buffer> {
  // To open a pipe without a writer would wait for one, in a thread that keeps the process from ending.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const kind = await file.stat()
    if (kind.size > bytesMax) throw refusedAs('EFBIG')
    return await readAll(file, bytesMax, kind.isFIFO() ? silentMs : 0)
  } finally {
    await file.close()
  }
}

async function readAll(file: FileHandle, bytesMax: number, waitMs: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const silentUntil = performance.now() + waitMs
  for (let length = 0; ; ) {
    const chunk = await readChunk(file)
    if (chunk && chunk.length > 0) {
      length += chunk.length
      if (length > bytesMax) throw refusedAs('EFBIG')
      chunks.push(chunk)
    } else if (chunk && (length > 0 || waitMs === 0)) return Buffer.concat(chunks)
    else if (chunk && performance.now() > silentUntil) throw refusedAs('EPIPE')
    else await setTimeout(againMs)
  }
}

/** @returns no bytes at the end; undefined while a writer has the pipe open and has written nothing */
async function readChunk(file: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, null)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

function refusedAs(code: 'EFBIG' | 'EPIPE'): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}
