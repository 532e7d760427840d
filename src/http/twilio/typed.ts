/** Phones and codes in the wire of Twilio Verify: people type them into programs that hand them on as they are. */
import { contract } from '../../contract/document.ts'
import { phoneFault, readTyped } from '../../domain/sending/phones/typedPhone.ts'
import { Problem } from '../../kit/problem.ts'
import { typedCode } from '../../kit/typed.ts'

const { pattern, 'x-pattern-words': codeWords } =
  contract.components.schemas.CheckVerificationByPhoneRequest.properties.code
const codeForm = new RegExp(pattern)

/** @returns in E.164 form, or a problem that says what is wrong with what was written */
export function phoneIn(written: string): string | Problem<'invalid_request'> {
  const { phone, fault } = readTyped(written)
  if (phone !== undefined) return phone
  // One in E.164 form is for the domain to refuse, which knows why.
  if (phoneFault(written) === undefined) return written
  return wrong('/To', `must be one phone number with its country code, like +14155550100; it ${fault}`)
}

/** Characters of a code with what people put between and around its digits. */
const typedMax = 60

/** @returns its digits, or a problem */
export function codeIn(written: string): string | Problem<'invalid_request'> {
  const code = written.length > typedMax ? '' : typedCode(written)
  return codeForm.test(code) ? code : wrong('/Code', codeWords)
}

function wrong(field: string, message: string): Problem<'invalid_request'> {
  return new Problem('invalid_request', { details: [{ field, code: 'wrong_format', message }] })
}
