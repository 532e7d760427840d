/** Files of operators that describe a provider: read where the list that names them is. */
import { dirname, resolve } from 'node:path'
import { readProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { isPath } from '../../delivery/channels/sms/shipped.ts'
import type { PlacedFault } from '../../kit/reading/formFaults.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type OtherFile, readBoundedText } from '../files/yamlFile.ts'

interface Filled {
  list: unknown[]
  /** The files that cannot be read, at the places of the list that name them. */
  missing: PlacedFault[]
  /** With what is wrong in them. */
  files: OtherFile[]
}

/**
 * Puts the text of each file beside the `provider` that names it, so that it is kept with the connection.
 *
 * @param file the list's own: paths are relative to it
 */
export async function withProviderFiles(list: readonly unknown[], file: string): Promise<Filled> {
  const filled: Filled = { list: [], missing: [], files: [] }
  for (const [index, entry] of list.entries()) {
    const name = toProviderPath(entry)
    const text =
      name === undefined ? undefined : await readBoundedText(name, resolve(dirname(file), name)).catch(refusedFor)
    if (text instanceof Refusal) {
      filled.missing.push({ path: [index, 'provider'], fault: text.message.replace(/\.$/, '') })
      // That its text is missing too is no fault of its own.
      filled.files.push({ name: name!, path: [index, 'provider_file'], faults: [] })
    }
    if (name === undefined || typeof text !== 'string') {
      filled.list.push(entry)
      continue
    }
    const { faults = [] } = readProviderFile(text)
    if (faults.length > 0) filled.files.push({ name, path: [index, 'provider_file'], faults })
    // What "${" means to a list, it does not mean to this file.
    filled.list.push({ ...(entry as object), provider_file: text.replaceAll('${', '$${') })
  }
  return filled
}

/** @throws what is no refusal */
function refusedFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

function toProviderPath(entry: unknown): string | undefined {
  const { provider, provider_file: text } = (entry ?? {}) as { provider?: unknown; provider_file?: unknown }
  return typeof provider === 'string' && text === undefined && isPath(provider) ? provider : undefined
}
