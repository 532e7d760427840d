/** The file of rules that an operator names: `protection.yaml`. */
import { readFile, stat } from 'node:fs/promises'
import { type ProtectionFile, readProtectionFile } from '../../domain/protection/protectionFile.ts'
import { boundedYamlBytesMax } from '../../kit/boundedYaml.ts'
import { textOfFault } from '../../kit/formFaults.ts'
import { faultsIn, Refusal } from '../../kit/refusal.ts'

/** @throws Refusal with everything that is wrong, each with file and line */
export async function readProtection(file: string): Promise<ProtectionFile> {
  const read = readProtectionFile(await readBounded(file))
  if (read.rules) return read
  throw faultsIn(
    '',
    read.faults.map((fault) => textOfFault(fault, file)),
  )
}

async function readBounded(file: string): Promise<string> {
  try {
    // What is longer is not read at all: it may be anything.
    const { size } = await stat(file)
    return size > boundedYamlBytesMax ? ' '.repeat(boundedYamlBytesMax + 1) : await readFile(file, 'utf8')
  } catch (error) {
    throw new Refusal(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}
