/** What a form brings: fields by name, as text. */
import type { IncomingMessage } from 'node:http'
import { isStorable } from '../../domain/storable.ts'
import { Problem } from '../../problem.ts'
import { readBytes } from '../body.ts'

export interface Form {
  /** Without spaces at its ends; empty when it is not there. */
  text: (name: string) => string
  /** As it was typed: for passwords. */
  raw: (name: string) => string
  /** Each value of a field that can be there more than once. */
  all: (name: string) => string[]
  has: (name: string) => boolean
}

const formType = 'application/x-www-form-urlencoded'
const bytesMax = 64 * 1024

export const emptyForm = formOf(new URLSearchParams())

export function formOf(fields: URLSearchParams): Form {
  return {
    text: (name) => (fields.get(name) ?? '').trim(),
    raw: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
    has: (name) => fields.has(name),
  }
}

/** @returns undefined for what no form of ours sends. @throws Problem `body_too_large`, `invalid_request` */
export async function readForm(request: IncomingMessage): Promise<Form | undefined> {
  if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== formType) return undefined
  const fields = new URLSearchParams((await readBytes(request, bytesMax)).toString())
  requireText(fields)
  return formOf(fields)
}

/** @throws Problem `invalid_request` for U+0000, which no browser's form has and no database takes */
export function requireText(fields: URLSearchParams): void {
  if (isStorable([...fields])) return
  throw new Problem('invalid_request', { message: 'This has a character that no form sends' })
}
