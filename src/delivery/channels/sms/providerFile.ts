/** Reads a provider file: everything that is wrong with it is named at once, with its line. */
import type { z } from 'zod'
import { wrongType } from '../../../kit/wrongType.ts'
import { exampleFaults } from './examples.ts'
import { type FileFault, firstFaults, readBoundedYaml } from './lines.ts'
import { placeholderFaults, settingFaults } from './placeholderFaults.ts'
import { idleFaults } from './rules.ts'
import { type ProviderFile, providerFile } from './schema.ts'

export type { FileFault } from './lines.ts'
export type { ProviderFile } from './schema.ts'

type Read = { file: ProviderFile; faults?: never } | { file?: never; faults: FileFault[] }

/** @returns the provider where nothing is wrong; the faults in the order of their lines */
export function readProviderFile(text: string): Read {
  const { value, faults, lineOf } = readBoundedYaml(text)
  if (faults.length > 0) return { faults }
  const { data: file, error } = providerFile.safeParse(value, { error: plainly })
  const settings = providerFile.shape.settings.safeParse((value as { settings?: unknown } | null)?.settings).data
  const told = [
    ...(error?.issues ?? []).flatMap(faultsOf),
    ...placeholderFaults(value, settings),
    ...(settings ? settingFaults(settings) : []),
  ]
  if (file && told.length === 0) return { file }
  return { faults: withLines(told, lineOf) }
}

/** The same; and it says nothing in vain, and its examples give what they say. Connections keep a file that fails here only. */
export function checkProviderFile(text: string): Read {
  const read = readProviderFile(text)
  if (!read.file) return read
  const told = [...idleFaults(read.file), ...exampleFaults(read.file)]
  return told.length === 0 ? read : { faults: withLines(told, readBoundedYaml(text).lineOf) }
}

/** `acme.yaml:12: answer.rules.3.is: must be …` */
export function textOfFault({ line, path, fault }: FileFault, file: string): string {
  return `${file}:${line}: ${path.length > 0 ? `${path.map(String).join('.')}: ` : ''}${fault}`
}

type Told = Pick<FileFault, 'path' | 'fault'>

function withLines(told: readonly Told[], lineOf: (path: readonly PropertyKey[]) => number): FileFault[] {
  return firstFaults(told.map(({ path, fault }) => ({ line: lineOf(path), path, fault })))
}

function faultsOf(issue: z.core.$ZodIssue): Told[] {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], fault: 'is not known' }))
  // Of the members of a union, the one that got furthest says most.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted(
      (one, other) => depthOf(other) - depthOf(one) || one.length - other.length,
    )[0]!
    if (depthOf(nearest) > 0) return nearest.flatMap((inner) => faultsOf({ ...inner, path: [...path, ...inner.path] }))
  }
  return [{ path, fault: message }]
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length))
}

/** For what the schema has no words of its own for. No message has a value in it. */
function plainly(issue: z.core.$ZodRawIssue): string | undefined {
  const isOther = ['invalid_union', 'invalid_value', 'invalid_key'].includes(issue.code ?? '')
  return isOther ? 'is of another form' : wrongType(issue)
}
