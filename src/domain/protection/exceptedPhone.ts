/** Phones that a rule does not look at: whole, or how numbers begin. */
import { z } from 'zod'
import { plainText } from '../../kit/typed.ts'
import { readTyped } from '../sending/phones/typedPhone.ts'

/** As it is kept. */
const keptForm = /^\+\d{1,15}\*?$/
const words = 'must be a number like +4930123456, or how numbers begin, like +4930*'

/** Reads what a person wrote, `+49 (30) 123-45` and `+49 30*` too. */
export const exceptedPhone = z
  .preprocess(digitsAlone, z.string({ error: 'must be a text' }))
  .transform((text, context) => {
    if (keptForm.test(text)) return text
    const { phone, fault } = text.trimEnd().endsWith('*') ? readBeginning(text) : readTyped(text)
    if (phone === undefined) context.addIssue({ code: 'custom', message: fault ? `${words}; it ${fault}` : words })
    return phone ?? text
  })

/** To YAML, a phone without its plus is a number. */
function digitsAlone(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

/** A trunk zero stands in brackets, or is a digit as any other. */
function readBeginning(text: string): { phone?: string; fault?: string } {
  const plain = plainText(text)
  const phone = plain
    .replace('(0)', '')
    .replace(/[ ()./-]/g, '')
    .replace(/^(?:\+|00)+/, '+')
  if (keptForm.test(phone)) return { phone }
  return /^\D*0?[1-9]/.test(phone) && !phone.startsWith('+') ? { fault: 'does not begin with +' } : {}
}
