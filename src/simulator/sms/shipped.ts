/** The provider files that ship, as the simulator plays them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProviderFile, readProviderFile, textOfFault } from '../../delivery/channels/sms/providerFile.ts'

const folder = join(import.meta.dirname, '../../delivery/channels/sms/providers')

/** In the order of their names. */
export function shippedProviders(): ProviderFile[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => providerIn(readFileSync(join(folder, name), 'utf8'), name))
}

/** @throws Error with all that is wrong with the file */
export function providerIn(text: string, name: string): ProviderFile {
  const read = readProviderFile(text)
  if (read.faults) throw new Error(read.faults.map((fault) => textOfFault(fault, name)).join('\n'))
  return read.file
}
