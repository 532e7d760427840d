/** The file of rules that an operator names: `protection.yaml`. */
import { type ProtectionFile, readProtectionFile } from '../../domain/protection/protectionFile.ts'
import { fileRefusal, readBoundedText } from '../files/yamlFile.ts'

/** @throws Refusal with everything that is wrong, each with file and line */
export async function readProtection(file: string): Promise<ProtectionFile> {
  const text = await readBoundedText(file)
  const read = readProtectionFile(text)
  if (read.rules) return read
  throw fileRefusal(file, read.faults)
}
