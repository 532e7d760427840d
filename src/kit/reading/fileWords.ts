/** What is said of a file that cannot be opened. */

const wordsByCode: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EEXIST: 'it is there already',
  EFBIG: 'it is too long',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process has too many files open',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  ENXIO: 'it is a socket',
  EPERM: 'this user has no right to it',
  EPIPE: 'it is a pipe, and no program writes into it',
  EROFS: 'nothing can be written there',
}

/** @returns the end of a sentence; with the system's code for what is rare */
export function fileWords({ code = 'unknown' }: NodeJS.ErrnoException): string {
  return wordsByCode[code] ?? `the system refuses it (${code})`
}
