/** The kinds that ship with the service, a file each. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InletKinds } from '../domain/inlets/inletEntry.ts'
import { textOfFault } from '../kit/reading/formFaults.ts'
import { faultOfInletSecret } from './auth.ts'
import { readKind } from './kindFile.ts'
import { type KindFile, memberFault } from './kindSchema.ts'

const folder = join(import.meta.dirname, 'kinds')
const ending = '.yaml'

let names: readonly string[] | undefined

/** In alphabetical order. */
export function inletKindNames(): readonly string[] {
  names ??= globSync(`*${ending}`, { cwd: folder })
    .map((file) => file.slice(0, -ending.length))
    .toSorted()
  return names
}

/** Reading one takes milliseconds, and most installations use one or two. */
const known = new Map<string, KindFile>()

/** As lists of inlets are judged by them. */
export const inletKinds: InletKinds = {
  names: inletKindNames,
  find: (name) => {
    const file = inletKind(name)
    const secretFault = (secret: string) => file && faultOfInletSecret(file, secret)
    return file && { title: file.title, settings: file.settings, secretFault, placeFault: memberFault }
  },
}

/** @returns undefined when there is no such kind. @throws Error when its file is wrong: a test reads them all */
export function inletKind(name: string): KindFile | undefined {
  const found = known.get(name)
  if (found || !inletKindNames().includes(name)) return found
  const { file, faults = [] } = readKind(readFileSync(join(folder, `${name}${ending}`), 'utf8'))
  if (!file) throw new Error(faults.map((fault) => textOfFault(fault, `${name}${ending}`)).join('\n'))
  known.set(name, file)
  return file
}
