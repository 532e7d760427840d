/** Reads the file of a kind of inlets: everything that is wrong with it is named at once, with its line. */
import { type FileFault, readBoundedYaml } from '../kit/reading/boundedYaml.ts'
import { faultsOfForm, withLines } from '../kit/reading/formFaults.ts'
import { schemaWords } from '../kit/reading/wrongType.ts'
import { kindExampleFaults } from './examples.ts'
import { type KindFile, kindForm } from './kindSchema.ts'

/** @returns the kind where nothing is wrong, its examples included; the faults in the order of their lines */
export function readKind(text: string): { file: KindFile; faults?: never } | { file?: never; faults: FileFault[] } {
  const { value, faults, lineOf } = readBoundedYaml(text)
  if (faults.length > 0) return { faults }
  const { data: file, error } = kindForm.safeParse(value, { error: schemaWords })
  if (!file) return { faults: withLines(faultsOfForm(error, value), lineOf) }
  const wrong = kindExampleFaults(file)
  return wrong.length === 0 ? { file } : { faults: withLines(wrong, lineOf) }
}
