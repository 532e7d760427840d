/** What a schema says of a YAML file, each fault with its line. */
import type { z } from 'zod'
import { type FileFault, firstFaults, type ReadYaml } from './boundedYaml.ts'

/** What is wrong in something that somebody wrote, and the members that lead to it. Its line is not known, or there is none. */
export type PlacedFault = Pick<FileFault, 'path' | 'fault'>

/** `acme.yaml:12: answer.rules, entry 4, is: must be …` */
export function textOfFault({ line, path, fault }: FileFault, file: string): string {
  return `${file}:${line}: ${atPlace(path, fault)}`
}

/** @param label names what the path begins in, where that has a name */
export function atPlace(path: readonly PropertyKey[], fault: string, label?: string): string {
  const place = [label ?? [], path.length > 0 ? placeText(path) : []].flat()
  return place.length > 0 ? `${place.join(', ')}: ${fault}` : fault
}

/** `entry 3, except.phones, entry 1`: entries of lists are counted from 1, as lines are. */
export function placeText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, step, at) => {
    const isEntry = typeof step === 'number'
    const joint = isEntry || typeof path[at - 1] === 'number' ? ', ' : '.'
    return `${before}${at > 0 ? joint : ''}${isEntry ? `entry ${step + 1}` : String(step)}`
  }, '')
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
  return (error?.issues ?? []).flatMap(faultsOfIssue).map(({ code, path, fault }) => ({
    path,
    fault: (ofValue.has(code) && lackAt(value, path)) || fault,
  }))
}

/** Codes of the library for a value that is of another form. What is looked at beyond has its own words. */
const ofValue: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

function lackAt(value: unknown, path: readonly PropertyKey[]): string | undefined {
  const [name, ...inner] = path
  if (name === undefined || typeof value !== 'object' || value === null) return undefined
  const member = (value as Record<PropertyKey, unknown>)[name]
  if (inner.length > 0) return lackAt(member, inner)
  if (member === null) return 'has no value'
  return member === undefined ? 'is missing' : undefined
}

function faultsOfIssue(issue: z.core.$ZodIssue): (PlacedFault & { code: string })[] {
  const { path, message, code = '' } = issue
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ code, path: [...path, key], fault: 'is not known' }))
  if (issue.code === 'invalid_key' && issue.issues[0])
    return [{ code, path, fault: `its name ${issue.issues[0].message}` }]
  // Of the members of a union, the one that got furthest says most.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted(
      (one, other) => depthOf(other) - depthOf(one) || one.length - other.length,
    )[0]!
    if (depthOf(nearest) > 0) {
      return nearest.flatMap((inner) => faultsOfIssue({ ...inner, path: [...path, ...inner.path] }))
    }
  }
  return [{ code, path, fault: message }]
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length))
}
