/** Memory in place of a disk, for files that nobody needs when a run is over. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** Where Linux keeps files in memory. */
const memory = '/dev/shm'
/** Bytes that must be free there, and of the memory itself: several times what a run of the tests has at once. */
const freeMin = 2 * 1024 ** 3

/** @returns a folder for temporary files: in memory, if there is enough of it; otherwise where they are as a rule */
export async function quickFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, process.availableMemory()) >= freeMin ? memory : tmpdir()
}
