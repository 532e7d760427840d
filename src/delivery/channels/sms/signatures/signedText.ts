/** What `hmac` and `ed25519` share: the text that is signed is made from the body and from headers, as a template says. */
import { z } from 'zod'
import { isFresh } from './compared.ts'
import type { SignedReport } from './signedReport.ts'

/** The name of a header, in lower case. */
export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be the name of a header')
  .toLowerCase()

const placeholder = /\{body\}|\{header:([A-Za-z0-9_-]{1,64})\}/g

const overForm = z
  .string()
  .max(500)
  .refine((text) => text.includes('{body}'), 'must hold {body}')
  .refine(
    (text) => !/[{}]/.test(text.replace(placeholder, '')),
    'may hold {body} and {header:name}, and no other brace',
  )

export const signedTextForm = {
  /** The header that the signature is in. */
  header: headerName,
  /** The text that is signed: `{body}`, `{header:name}`, and what stands between them. */
  over: overForm,
  /** A header with seconds of Unix time. */
  timestamp: headerName.optional(),
  /** Seconds that a report may be old, or ahead of our clock. */
  tolerance: z.int().min(1).max(3600).default(300),
}

interface SignedText {
  over: string
  timestamp?: string | undefined
  tolerance: number
}

/** @returns the bytes that are signed; undefined when a header is missing, or the report is not from these minutes */
export function createSignedText({ over, timestamp, tolerance: toleranceSeconds }: SignedText, now: () => Date) {
  // A split by a form with one group gives text, name, text, and so on. The name of {body} is undefined.
  const parts = over.split(placeholder).map((text, place) => ({ text, isText: place % 2 === 0 }))
  return ({ headers, body }: Pick<SignedReport, 'headers' | 'body'>): Buffer | undefined => {
    if (timestamp !== undefined && !isFresh(headers[timestamp], { toleranceSeconds, now: now() })) return undefined
    const filled = parts.map(({ text, isText }) => {
      if (isText) return Buffer.from(text)
      const value = text === undefined ? body : headers[text.toLowerCase()]
      return typeof value === 'string' ? Buffer.from(value) : value
    })
    const whole = filled.filter((part) => part !== undefined)
    return whole.length === filled.length ? Buffer.concat(whole) : undefined
  }
}
