/** Secrets in files, as Docker, Kubernetes and systemd hand them out: `<NAME>_FILE` names the file that holds `<NAME>`. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { z } from 'zod'
import { fileWords } from '../kit/reading/fileWords.ts'
import { decodeUtf8 } from '../kit/reading/utf8.ts'
import { commentFault, hasComment } from './comment.ts'

type Environment = Record<string, string | undefined>

/** Far more than any secret has: a wrong path may lead to a file of gigabytes. */
const bytesMax = 64 * 1024

/** Marks a setting: `.meta(secret)`, at the end of its form, lets it stand in a file too. */
export const secret = { isSecret: true }

/** The names of the settings that are marked as secrets. */
export function secretsIn(forms: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.keys(forms).filter((name) => forms[name]?.meta()?.isSecret)
}

/** @returns the values that stand in files, by the names of their settings, and what is wrong with such files: never their text */
export function readSecretFiles(
  names: readonly string[],
  given: Environment,
): { values: Environment; faults: string[] } {
  const values: Environment = {}
  const faults: string[] = []
  for (const name of names) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    const value = given[name] === undefined ? read(path) : { fault: `must not be set together with ${name}` }
    if ('fault' in value) faults.push(`${name}_FILE: ${value.fault}`)
    else values[name] = value.text
  }
  return { values, faults }
}

/** @returns a fault that does not quote the path: who mixes the two settings up has the secret there */
function read(path: string): { text: string } | { fault: string } {
  try {
    const bytes = readBytes(path)
    if (typeof bytes === 'string') return { fault: bytes }
    const decoded = decodeUtf8(bytes)
    if (decoded.text === undefined) return { fault: `names a file that is not text in UTF-8 (${decoded.fault})` }
    const text = decoded.text.replace(/[\r\n]+$/, '')
    if (text === '') return { fault: 'names a file that is empty' }
    if (text.includes('\ufffd'))
      return { fault: 'names a file with U+FFFD, in place of a character that was lost: write it again' }
    // After a crash, a file can be as long as it was, and be nothing but zeros.
    if (text.includes('\0')) return { fault: 'names a file that is not text in UTF-8' }
    return /[\r\n]/.test(text) ? { fault: 'names a file of more than one line' } : { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (hasComment(path)) return { fault: commentFault }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: 'names a file that is not there' }
    if (code === 'EACCES' || code === 'EPERM') return { fault: 'names a file that this user may not read' }
    return { fault: `names a file that cannot be read: ${fileWords(error as NodeJS.ErrnoException)}` }
  }
}

/** @returns a fault for what is no file, or a large one */
function readBytes(path: string): Buffer | string {
  // A pipe that nothing writes to would keep the process waiting.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return 'must be the path of a file'
    const bytes = Buffer.alloc(bytesMax + 1)
    let length = 0
    for (let more = -1; more !== 0 && length < bytes.length; length += more) {
      more = readSync(file, bytes, length, bytes.length - length, null)
    }
    return length > bytesMax ? `names a file of more than ${bytesMax / 1024} KiB` : bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}
