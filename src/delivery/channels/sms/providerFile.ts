/** Reads a provider file: everything that is wrong with it is named at once, with its line. */
import { type FileFault, type ReadYaml, readBoundedYaml } from '../../../kit/reading/boundedYaml.ts'
import { faultsOfForm, withLines } from '../../../kit/reading/formFaults.ts'
import { schemaWords } from '../../../kit/reading/wrongType.ts'
import { exampleFaults } from './examples.ts'
import { idleFaults } from './faults/idleFaults.ts'
import { placeholderFaults, settingFaults } from './faults/placeholderFaults.ts'
import { type ProviderFile, providerFile } from './schema.ts'

export type { ProviderFile } from './schema.ts'

type Read = { file: ProviderFile; faults?: never } | { file?: never; faults: FileFault[] }

/** @returns the provider where nothing is wrong; the faults in the order of their lines */
export function readProviderFile(text: string): Read {
  return judge(readBoundedYaml(text))
}

/** The same of one that is kept with a connection: what a version before has taken goes on. */
export function readKeptFile(text: string): Read {
  return judge(readBoundedYaml(text, { isKept: true }))
}

function judge({ value, faults, lineOf }: ReadYaml): Read {
  if (faults.length > 0) return { faults }
  const { data: file, error } = providerFile.safeParse(value, { error: schemaWords })
  const settings = providerFile.shape.settings.safeParse((value as { settings?: unknown } | null)?.settings).data
  const told = [
    ...faultsOfForm(error, value),
    ...placeholderFaults(value, settings),
    ...(settings ? settingFaults(settings) : []),
    ...(file ? [...choiceFaults(file), ...needFaults(file), ...replyFaults(file)] : []),
  ]
  if (file && told.length === 0) return { file }
  return { faults: withLines(told, lineOf) }
}

function choiceFaults({ one_of: some = [], settings }: ProviderFile) {
  return some.flatMap((name, index) => {
    const path = ['one_of', index]
    if (!Object.hasOwn(settings, name)) return [{ path, fault: `names ${name}, which is no setting` }]
    return settings[name]!.optional ? [] : [{ path, fault: `names ${name}, which every connection must have` }]
  })
}

/** A reply is proven as a report is. */
function replyFaults({ report, inbound, examples }: ProviderFile) {
  const proof = 'needs a report: its form and its signature are those of replies too'
  const told = examples.flatMap((example, index) => {
    if (!('report' in example)) return []
    return example.gives.flatMap(({ status, reply }, place) => {
      const path = ['examples', index, 'gives', place]
      return (status === undefined) === (reply === undefined) ? [{ path, fault: 'must have a status or a reply' }] : []
    })
  })
  return inbound && !report ? [{ path: ['inbound'], fault: proof }, ...told] : told
}

/** Settings that need another one, which is none. */
function needFaults({ settings }: ProviderFile) {
  return Object.entries(settings).flatMap(([name, setting]) =>
    (['needs', 'name_needs'] as const).flatMap((member) => {
      const other = setting[member]
      if (other === undefined || (other !== name && Object.hasOwn(settings, other))) return []
      return [{ path: ['settings', name, member], fault: `names ${other}, which is no other setting` }]
    }),
  )
}

/** The same; and it says nothing in vain, and its examples give what they say. Connections keep a file that fails here only. */
export function checkProviderFile(text: string): Read {
  const read = readProviderFile(text)
  if (!read.file) return read
  const { value, lineOf } = readBoundedYaml(text)
  const idle = idleFaults(read.file, value)
  // An example that fails says no more than what makes it fail.
  const told = idle.length > 0 ? idle : exampleFaults(read.file)
  return told.length === 0 ? read : { faults: withLines(told, lineOf) }
}
