/** The forms of what files that people write hold: each says what is wrong in words for them, and quotes nothing. */
import { z } from 'zod'
import { pointerFault } from './pointer.ts'

const textCharactersMax = 4000

const toText = (wrong: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : wrong) })
    .min(1, 'must not be empty')
    .max(textCharactersMax, `must have at most ${textCharactersMax} characters`)

export const textForm = toText('must be a text')

/** The name of a setting. */
export const nameForm = textForm.regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and "_"')

/** @param faultOf what is wrong with a text, without quoting it */
export function checked(form: z.ZodString, faultOf: (text: string) => string | undefined): z.ZodString {
  return form.superRefine((text, context) => {
    const message = faultOf(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

export const pointerForm = checked(toText('must be a JSON Pointer like /data/id'), pointerFault)

/** One, or a list: then the first that leads to something counts. */
export const pointersForm = z.union(
  [pointerForm, z.array(pointerForm).min(1).max(8)],
  'must be a JSON Pointer like /data/id, or a list of them',
)

/** The name of a header, in lower case. */
export const headerForm = textForm
  .regex(/^[a-z0-9-]{1,100}$/i, 'must be the name of a header')
  .transform((name) => name.toLowerCase())

export function bounded<Map extends z.ZodType<object>>(map: Map, max: number): Map {
  return map.refine((value) => Object.keys(value).length <= max, `must have at most ${max} members`)
}
