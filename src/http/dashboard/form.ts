/** What a form brings: fields by name, as text. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../kit/problem.ts'
import { readMediaType } from '../../kit/reading/mediaType.ts'
import { isStorable } from '../../kit/reading/storable.ts'
import { isUtf8Form } from '../../kit/reading/utf8.ts'
import { createIntake, type Unread } from '../intake.ts'

export interface Form {
  /** Without spaces at its ends; empty when it is not there. */
  text: (name: string) => string
  /** As it was typed: for passwords. */
  raw: (name: string) => string
  /** Each value of a field that can be there more than once. */
  all: (name: string) => string[]
  has: (name: string) => boolean
  /** Each once. */
  names: () => string[]
}

const formType = 'application/x-www-form-urlencoded'
/**
 * A provider file of 64 KB has its place, and each byte of it can take three in a form. All forms together are those that are being
 * read or worked on: strangers send them too.
 */
const limits = { bytesMax: 256 * 1024, bytesAtOnceMax: 8 * 1024 * 1024 }
/**
 * What anybody may send has a password and a way on at most. Apart, because a sign-in keeps its bytes while it waits in a line for
 * its password: with large ones, strangers could take the places of all.
 */
const openLimits = { bytesMax: 16 * 1024, bytesAtOnceMax: 2 * 1024 * 1024 }
/** Far more than any of ours has: each takes many times its bytes. */
const fieldsMax = 500

export interface Forms {
  /**
   * Keeps a place for the form until `use` is done with it.
   *
   * @param isOpen whether its page is for who is not signed in
   * @returns what `use` does, or why it was not called
   */
  read: <Done>(request: IncomingMessage, isOpen: boolean, use: (form: Form) => Promise<Done>) => Promise<Done | NoForm>
}

/** Why no form was read; `foreign` is what no form of ours sends. */
export type NoForm = Unread | 'foreign'

export const emptyForm = toForm(new URLSearchParams())

export function toForm(fields: URLSearchParams): Form {
  return {
    text: (name) => (fields.get(name) ?? '').trim(),
    raw: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
    has: (name) => fields.has(name),
    names: () => [...new Set(fields.keys())],
  }
}

export function createForms(): Forms {
  const [intake, openIntake] = [createIntake(limits), createIntake(openLimits)]
  return {
    read: async (request, isOpen, use) => {
      const { headers } = request
      if (readMediaType(headers['content-type']).type !== formType) return 'foreign'
      const done = await (isOpen ? openIntake : intake).read(request, (body) => used(body, use))
      // The rest is read, to nowhere: the next request on this connection stands behind it.
      if (done === 'too_large' || done === 'busy') request.resume()
      return done
    },
  }
}

/** @throws Problem `invalid_request`, and what `use` throws */
async function used<Done>(body: Buffer, use: (form: Form) => Promise<Done>): Promise<Done | NoForm> {
  const text = body.toString()
  if (!isUtf8(body) || !isUtf8Form(text)) throw new Problem('invalid_request', { message: 'This form is not in UTF-8' })
  const fields = new URLSearchParams(text)
  if (fields.size > fieldsMax) return 'too_large'
  requireText(fields)
  return use(toForm(fields))
}

/** @throws Problem `invalid_request` for U+0000, which no browser's form has and no database takes */
export function requireText(fields: URLSearchParams): void {
  if (isStorable([...fields])) return
  throw new Problem('invalid_request', { message: 'This has a character that no form sends' })
}

/** @throws Problem `invalid_request`: a search for what was not understood would find nothing, or something else */
export function requireUtf8Query(query: string): void {
  if (!isUtf8Form(query)) throw new Problem('invalid_request', { message: 'The address of this page is not in UTF-8' })
}
