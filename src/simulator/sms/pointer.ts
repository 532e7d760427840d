/** Puts values where JSON Pointers (RFC 6901) lead. */
import { pointerParts } from '../../mapping/pointer.ts'

/** @returns the value with another one at the pointer; what is missing on the way is made */
export function putAt(value: unknown, pointer: string, inner: unknown): unknown {
  return putBy(value, pointerParts(pointer), inner)
}

/** The first of several pointers. */
export function firstOf(pointers: string | readonly string[] | null | undefined): string | undefined {
  return [pointers ?? []].flat()[0]
}

function innerOf(value: unknown, step: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
}

function putBy(value: unknown, [step, ...rest]: string[], inner: unknown): unknown {
  if (step === undefined) return inner
  const below = putBy(innerOf(value, step), rest, inner)
  const isObject = typeof value === 'object' && value !== null
  if (!Array.isArray(value) && (isObject || !/^\d+$/.test(step))) return { ...(value as object), [step]: below }
  const list = Array.isArray(value) ? [...value] : []
  list[Number(step)] = below
  return list
}
