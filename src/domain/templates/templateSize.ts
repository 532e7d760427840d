/** What the text of a template takes, before its variables are filled in. */
import { costlyCharacters } from '../sending/wordings/costlyCharacters.ts'
import { countSegments, type Segments } from '../sending/wordings/segments.ts'
import { characters, withValues } from '../sending/wordings/templateText.ts'

export interface TemplateSize extends Segments {
  /** Code points. */
  characters: number
  /** The end of a sentence about characters that are overlooked and cost; undefined where there are none. */
  note: string | undefined
}

/** @param sampleOf what stands for a variable; nothing when left out, so that this is the least that it takes */
export function sizeOfTemplate(text: string, sampleOf: (variable: string) => string = () => ''): TemplateSize {
  const filled = (given: string) => withValues(given, sampleOf)
  const measure = (given: string) => countSegments(filled(given))
  return { ...measure(text), characters: characters(filled(text)), note: costlyCharacters(text, measure) }
}
