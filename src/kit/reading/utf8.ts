/** Text of others, which must be UTF-8: what is not is refused with its place, and never replaced by U+FFFD. */
import { isUtf8 } from 'node:buffer'

/** A mark at its beginning (BOM) is no part of the text. */
export type DecodedUtf8 = { text: string; fault?: never } | { text?: never; line: number; fault: string }

const other = 'save the file as UTF-8'

export function decodeUtf8(bytes: Uint8Array): DecodedUtf8 {
  if (isUtf16(bytes)) return { line: 1, fault: `the text is UTF-16: ${other}` }
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) }
  const at = firstWrong(bytes)
  const before = Buffer.from(bytes.subarray(0, at))
  const line = before.filter((byte) => byte === 0x0a).length + 1
  return { line, fault: `byte ${at - before.lastIndexOf(0x0a)} of line ${line} is not UTF-8: ${other}` }
}

/**
 * The text of a body, or why it is none: the end of a sentence, with nothing of it but the byte.
 *
 * @param bytes in UTF-8; a mark at its beginning is no part of the text
 */
export function decodeBody(bytes: Uint8Array): { text: string; fault?: never } | { text?: never; fault: string } {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { fault: 'it is compressed (gzip)' }
  if (isUtf16(bytes)) return { fault: 'it is UTF-16' }
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) }
  const at = firstWrong(bytes)
  const byte = bytes[at]!.toString(16).toUpperCase()
  const isWhole = !isBeginning(bytes)
  return {
    fault: isWhole
      ? `byte ${at} is 0x${byte}: it is probably Latin-1 (ISO 8859-1)`
      : `it ends within a character, at byte ${at}`,
  }
}

/** Whether a charset is UTF-8. Programs write it in many ways: `UTF-8`, `utf8`. ASCII is a part of it. */
export function isUtf8Name(charset: string): boolean {
  return ['utf-8', 'utf8', 'us-ascii'].includes(charset.trim().toLowerCase())
}

/** Whether each percent-encoded character of a form is UTF-8: `URLSearchParams` puts U+FFFD in the place of others. */
export function isUtf8Form(text: string): boolean {
  const runs = text.match(/(?:%[0-9a-f]{2})+/gi) ?? []
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
}

/** Node puts U+FFFD in place of such bytes in an argument. @returns a sentence without the argument, which may be a secret */
export function faultOfArguments(args: readonly string[]): string | undefined {
  const at = args.findIndex((one) => one.includes('\ufffd'))
  if (at < 0) return undefined
  const [before = '', own = ''] = [args[at - 1], args[at]!.split('=')[0]]
  const isOption = (text: string) => /^--?[a-z][\w-]*$/i.test(text)
  const which = isOption(own)
    ? `The value of ${own}`
    : `Argument ${at + 1}${isOption(before) ? `, after ${before},` : ''}`
  return `${which} is not UTF-8: use a terminal in UTF-8 (LANG=C.UTF-8), or a script that is saved as UTF-8.`
}

/** With its mark; or without, which every file that we read begins with ASCII. */
function isUtf16([first, second]: Uint8Array): boolean {
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return hasMark || (first !== undefined && second !== undefined && (first === 0) !== (second === 0))
}

/** @returns the place, from 0, of the first byte that begins no character */
function firstWrong(bytes: Uint8Array): number {
  let [good, wrong] = [0, bytes.length]
  while (good < wrong) {
    const middle = Math.floor((good + wrong) / 2)
    if (isBeginning(bytes.subarray(0, middle + 1))) good = middle + 1
    else wrong = middle
  }
  // A byte that begins a character is wrong where its next byte does not go on with it.
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, good), { stream: true })
  return Buffer.byteLength(whole)
}

/** Whether UTF-8 can begin like this: its last character may be cut off. */
function isBeginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
