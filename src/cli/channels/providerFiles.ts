/** Files of operators that describe a provider: read where the list that names them is. */
import { dirname, resolve } from 'node:path'
import { readProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { isPath } from '../../delivery/channels/sms/shipped.ts'
import { textOfFault } from '../../kit/reading/formFaults.ts'
import { faultsIn } from '../../kit/refusal.ts'
import { readBoundedText } from '../yamlFile.ts'

/**
 * Puts the text of each file beside the `provider` that names it, so that it is kept with the connection.
 *
 * @param file the list's own: paths are relative to it
 * @throws Refusal with all that is wrong in those files, each with file and line
 */
export async function withProviderFiles(list: readonly unknown[], file: string): Promise<unknown[]> {
  const faults: string[] = []
  const filled: unknown[] = []
  for (const entry of list) {
    const path = providerPathOf(entry)
    if (path === undefined) {
      filled.push(entry)
      continue
    }
    const text = await readProvider(resolve(dirname(file), path))
    const read = readProviderFile(text)
    faults.push(...(read.faults ?? []).map((fault) => textOfFault(fault, path)))
    // What "${" means to a list, it does not mean to this file.
    filled.push({ ...(entry as object), provider_file: text.replaceAll('${', '$${') })
  }
  if (faults.length > 0) throw faultsIn('', faults)
  return filled
}

/** @throws Refusal when it cannot be read, or is no file of such a size */
export function readProvider(path: string): Promise<string> {
  return readBoundedText(path, (most) => `${path}:1: the file is longer than ${most}.`)
}

function providerPathOf(entry: unknown): string | undefined {
  const { provider, provider_file: text } = (entry ?? {}) as { provider?: unknown; provider_file?: unknown }
  return typeof provider === 'string' && text === undefined && isPath(provider) ? provider : undefined
}
