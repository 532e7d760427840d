/** How many text messages (SMS) a text takes: providers charge for each. Source of the alphabet and the sizes: 3GPP TS 23.038, 23.040. */

export interface Segments {
  /** GSM-7 if it has every character; otherwise the whole text is UCS-2. */
  encoding: 'gsm7' | 'ucs2'
  segments: number
}

/** @returns at least one segment, also for an empty text */
export function countSegments(text: string): Segments {
  const gsm7 = sizesIn(text, septetsOf)
  if (gsm7) return { encoding: 'gsm7', segments: countUp(gsm7, { alone: 160, together: 153 }) }
  const ucs2 = Array.from(text, (character) => character.length)
  return { encoding: 'ucs2', segments: countUp(ucs2, { alone: 70, together: 67 }) }
}

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Each is written after an escape. */
const extension = '\f^{}\\[~]|€'
const septetsOf = new Map([
  ...Array.from(basic, (one) => [one, 1] as const),
  ...Array.from(extension, (one) => [one, 2] as const),
])

/** Whether the alphabet of GSM-7 has a character. */
export function fitsGsm7(character: string): boolean {
  return septetsOf.has(character)
}

/** @returns undefined if a character is not in the alphabet */
function sizesIn(text: string, alphabet: ReadonlyMap<string, number>): number[] | undefined {
  const sizes: number[] = []
  for (const character of text) {
    const size = alphabet.get(character)
    if (size === undefined) return undefined
    sizes.push(size)
  }
  return sizes
}

/** A text that is split has less room in each segment, for a header. A character of two units is never split. */
function countUp(sizes: readonly number[], room: { alone: number; together: number }): number {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= room.alone) return 1
  let segments = 1
  let left = room.together
  for (const size of sizes) {
    if (size > left) {
      segments += 1
      left = room.together
    }
    left -= size
  }
  return segments
}
