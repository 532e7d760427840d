/** The provider files that ship with the service, and where the one of a connection comes from. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { FileFault } from '../../../kit/reading/boundedYaml.ts'
import { type PlacedFault, textOfFault } from '../../../kit/reading/formFaults.ts'
import { type ProviderFile, readKeptFile, readProviderFile } from './providerFile.ts'

const folder = join(import.meta.dirname, 'providers')
const ending = '.yaml'

/** Stands for a file of one's own where there is no path that could be read. */
export const ownFileName = 'own-file.yaml'

let names: readonly string[] | undefined

/** In alphabetical order. */
export function shippedNames(): readonly string[] {
  names ??= globSync(`*${ending}`, { cwd: folder })
    .map((file) => file.slice(0, -ending.length))
    .toSorted()
  return names
}

/** @returns undefined when there is no such provider */
export function shippedText(name: string): string | undefined {
  return shippedNames().includes(name) ? readFileSync(join(folder, `${name}${ending}`), 'utf8') : undefined
}

/** In the order of their names. @throws Error when one is wrong: a test reads them all */
export function shippedProviders(): ProviderFile[] {
  return shippedNames().map((provider) => {
    const { file, faults } = findProvider({ provider })
    if (!file) throw new Error(faults.join('\n'))
    return file
  })
}

/** Reading YAML takes milliseconds, and connections have the same few files. */
const known = new LRUCache<string, ProviderFile | readonly string[]>({ max: 64 })

/**
 * The provider of an entry: one that ships, by its name, or the text of the operator's own.
 *
 * @returns or everything that is wrong with it
 */
export function findProvider({ provider, provider_file: own }: { provider?: unknown; provider_file?: unknown }): {
  file?: ProviderFile
  faults: readonly string[]
} {
  const name = typeof provider === 'string' ? provider : ''
  const text = typeof own === 'string' ? own : shippedText(name)
  if (text === undefined && isPath(name)) return { faults: ['the text of the file is missing'] }
  if (text === undefined)
    return { faults: [`must be one of ${shippedNames().join(', ')}, or the path of a file of your own`] }
  const key = `${typeof own === 'string'} ${text}`
  const found = known.get(key) ?? read(text, typeof own === 'string' ? undefined : `${name}${ending}`)
  known.set(key, found)
  return Array.isArray(found) ? { faults: found } : { file: found as ProviderFile, faults: [] }
}

/** Whether a name of a provider is the path of a file. */
export function isPath(provider: string): boolean {
  return /[/\\]|\.ya?ml$/.test(provider)
}

/** What is wrong with a file of one's own that is entered, and not with one that is kept: a version before has taken it. */
export function documentFaults(entry: Parameters<typeof findProvider>[0]): PlacedFault[] {
  const { provider_file: own } = entry
  // Reading takes milliseconds, and these lines alone can be meant.
  if (typeof own !== 'string' || !/^\ufeff?(---|\.\.\.|%)/m.test(own) || !findProvider(entry).file) return []
  const { faults = [] } = readProviderFile(own)
  return faults.map((fault) => ({ path: ['provider_file'], fault: textInEntry(fault) }))
}

function read(text: string, name: string | undefined): ProviderFile | readonly string[] {
  const { file, faults = [] } = readKeptFile(text)
  return file ?? faults.map((fault) => (name === undefined ? textInEntry(fault) : textOfFault(fault, name)))
}

/** It has no name there. */
function textInEntry(fault: FileFault): string {
  return textOfFault(fault, 'line ').replace(/^line :/, 'line ')
}
