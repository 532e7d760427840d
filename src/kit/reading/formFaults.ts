/** What a schema says of a YAML file, each fault with its line. */
import type { z } from 'zod'
import { type FileFault, firstFaults, type ReadYaml } from './boundedYaml.ts'

/** What is wrong in something that somebody wrote, and the members that lead to it. Its line is not known, or there is none. */
export type PlacedFault = Pick<FileFault, 'path' | 'fault'>

/** `acme.yaml:12: answer.rules.3.is: must be …` */
export function textOfFault({ line, path, fault }: FileFault, file: string): string {
  return `${file}:${line}: ${path.length > 0 ? `${path.map(String).join('.')}: ` : ''}${fault}`
}

/** @returns the faults in the order of their lines, as many as help */
export function withLines(faults: readonly PlacedFault[], lineOf: ReadYaml['lineOf']): FileFault[] {
  return firstFaults(inLines(faults, lineOf))
}

/** @returns all faults, in the order of their lines */
export function inLines(faults: readonly PlacedFault[], lineOf: ReadYaml['lineOf']): FileFault[] {
  const placed = faults.map(({ path, fault }) => ({ line: lineOf(path), path, fault }))
  return placed.toSorted((one, other) => one.line - other.line)
}

/** @param value that was read: with it, a member that is not there is told as missing, whatever its schema says of wrong ones */
export function faultsOfForm(error: z.ZodError | undefined, value?: unknown): PlacedFault[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const isMissing = ofValue.has(issue.code ?? '') && isWithout(value, issue.path)
    return isMissing ? [{ path: issue.path, fault: 'is missing' }] : faultsOfIssue(issue)
  })
}

/** Codes of the library for a value that is of another form. What is looked at beyond has its own words. */
const ofValue: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

function isWithout(value: unknown, path: readonly PropertyKey[]): boolean {
  const [name, ...inner] = path
  if (name === undefined || typeof value !== 'object' || value === null) return false
  const member = (value as Record<PropertyKey, unknown>)[name]
  return inner.length === 0 ? member === undefined : isWithout(member, inner)
}

function faultsOfIssue(issue: z.core.$ZodIssue): PlacedFault[] {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], fault: 'is not known' }))
  // Of the members of a union, the one that got furthest says most.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted(
      (one, other) => depthOf(other) - depthOf(one) || one.length - other.length,
    )[0]!
    if (depthOf(nearest) > 0) {
      return nearest.flatMap((inner) => faultsOfIssue({ ...inner, path: [...path, ...inner.path] }))
    }
  }
  return [{ path, fault: message }]
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length))
}
