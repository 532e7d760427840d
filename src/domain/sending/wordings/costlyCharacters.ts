/** Characters that were pasted and are overlooked: each makes a whole text UCS-2, which takes twice as many SMS, or cannot be seen. */
import { fitsGsm7, type Segments } from './segments.ts'

/** By code point: the name that Unicode has for it, and what says the same in GSM-7. */
const known: ReadonlyMap<string, { name: string; plain: string }> = new Map(
  [
    ['00A0', 'NO-BREAK SPACE', ' '],
    ['2002', 'EN SPACE', ' '],
    ['2003', 'EM SPACE', ' '],
    ['2007', 'FIGURE SPACE', ' '],
    ['2008', 'PUNCTUATION SPACE', ' '],
    ['2009', 'THIN SPACE', ' '],
    ['200A', 'HAIR SPACE', ' '],
    ['202F', 'NARROW NO-BREAK SPACE', ' '],
    ['00AD', 'SOFT HYPHEN', ''],
    ['200B', 'ZERO WIDTH SPACE', ''],
    ['200E', 'LEFT-TO-RIGHT MARK', ''],
    ['200F', 'RIGHT-TO-LEFT MARK', ''],
    ['2028', 'LINE SEPARATOR', '\n'],
    ['2029', 'PARAGRAPH SEPARATOR', '\n'],
    ['202A', 'LEFT-TO-RIGHT EMBEDDING', ''],
    ['202B', 'RIGHT-TO-LEFT EMBEDDING', ''],
    ['202C', 'POP DIRECTIONAL FORMATTING', ''],
    ['202D', 'LEFT-TO-RIGHT OVERRIDE', ''],
    ['202E', 'RIGHT-TO-LEFT OVERRIDE', ''],
    ['2060', 'WORD JOINER', ''],
    ['2066', 'LEFT-TO-RIGHT ISOLATE', ''],
    ['2067', 'RIGHT-TO-LEFT ISOLATE', ''],
    ['2068', 'FIRST STRONG ISOLATE', ''],
    ['2069', 'POP DIRECTIONAL ISOLATE', ''],
    ['FEFF', 'ZERO WIDTH NO-BREAK SPACE', ''],
    ['0009', 'CHARACTER TABULATION', ' '],
    ['0060', 'GRAVE ACCENT', "'"],
    ['00B4', 'ACUTE ACCENT', "'"],
    ['02BC', 'MODIFIER LETTER APOSTROPHE', "'"],
    ['2018', 'LEFT SINGLE QUOTATION MARK', "'"],
    ['2019', 'RIGHT SINGLE QUOTATION MARK', "'"],
    ['201A', 'SINGLE LOW-9 QUOTATION MARK', "'"],
    ['2032', 'PRIME', "'"],
    ['00AB', 'LEFT-POINTING DOUBLE ANGLE QUOTATION MARK', '"'],
    ['00BB', 'RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK', '"'],
    ['201C', 'LEFT DOUBLE QUOTATION MARK', '"'],
    ['201D', 'RIGHT DOUBLE QUOTATION MARK', '"'],
    ['201E', 'DOUBLE LOW-9 QUOTATION MARK', '"'],
    ['2010', 'HYPHEN', '-'],
    ['2011', 'NON-BREAKING HYPHEN', '-'],
    ['2012', 'FIGURE DASH', '-'],
    ['2013', 'EN DASH', '-'],
    ['2014', 'EM DASH', '-'],
    ['2015', 'HORIZONTAL BAR', '-'],
    ['2022', 'BULLET', '-'],
    ['2212', 'MINUS SIGN', '-'],
    ['2026', 'HORIZONTAL ELLIPSIS', '...'],
  ].map(([code = '', name = '', plain = '']) => [String.fromCodePoint(Number.parseInt(code, 16)), { name, plain }]),
)
/** Languages and layouts use it on purpose. */
const usual = '\u00a0'
const shownMax = 5

/**
 * @param measure what a text takes; a text with places is filled there
 * @returns the end of a sentence about the text, with each such character by its name and first place; undefined where there is none
 */
export function costlyCharacters(text: string, measure: (text: string) => Segments): string | undefined {
  const places = findPlaces(text)
  const foreign = [...places.keys()].filter((one) => !fitsGsm7(one))
  const isNeedless = foreign.every((one) => known.has(one))
  const isUnseen = (one: string) => /^\s?$/.test(known.get(one)?.plain ?? '-') && one !== usual
  const found = isNeedless ? foreign : foreign.filter(isUnseen)
  if (found.length === 0) return undefined
  const shown = found.slice(0, shownMax).map((one) => `${nameOf(one)} (${places.get(one)})`)
  const more = found.length > shownMax ? [`${found.length - shownMax} more`] : []
  const names = `has ${new Intl.ListFormat('en').format([...shown, ...more])}`
  if (!isNeedless) return `${names}, which cannot be seen`
  const [now, plain] = [measure(text), measure(plainly(text))]
  if (now.encoding === plain.encoding) return undefined
  return `${names}: sent as UCS-2 with ${found.length === 1 ? 'it' : 'them'}, ${now.segments} SMS, and as GSM-7 without, ${plain.segments} SMS`
}

function plainly(text: string): string {
  return Array.from(text, (one) => (fitsGsm7(one) ? one : (known.get(one)?.plain ?? one))).join('')
}

function nameOf(one: string): string {
  return `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')} ${known.get(one)?.name}`
}

/** Where each character is first. */
function findPlaces(text: string): Map<string, string> {
  const places = new Map<string, string>()
  for (const [line, content] of text.split('\n').entries()) {
    for (const [index, one] of Array.from(content).entries()) {
      if (!places.has(one)) places.set(one, `line ${line + 1}, character ${index + 1}`)
    }
  }
  return places
}
