/** `plivo-v3`: HMAC-SHA-256 over the address, the form and a nonce. https://www.plivo.com/docs/voice/concepts/signature-validation */
import { createHmac } from 'node:crypto'
import { parseFormParameters, sorted } from '../parameters.ts'
import { listAddresses, splitTarget } from './address.ts'
import { isAnySame } from './compared.ts'
import { type SchemeParts, type SignedRequest, signingKeysOf, type Verify } from './signedRequest.ts'

/** Plivo signs once for each active token of an account. */
const signaturesMax = 10

/** @param parts the keys are auth tokens of the account that sends, or of the main account above it */
export function createPlivo({ keys, publicUrl }: Omit<SchemeParts, 'now'>): Verify {
  const secrets = signingKeysOf({ keys })
  return (report) => {
    const nonce = report.headers['x-plivo-signature-v3-nonce']
    // The first is of the account that sends, the second of its main account.
    const { 'x-plivo-signature-v3': own = '', 'x-plivo-signature-ma-v3': main = '' } = report.headers
    const given = `${own},${main}`.split(',', signaturesMax).map((text) => text.trim())
    if (!nonce) return false
    const made = formatTexts(report, publicUrl).flatMap((text) =>
      secrets.map((secret) => createHmac('sha256', secret).update(`${text}.${nonce}`).digest('base64')),
    )
    return isAnySame(given, made)
  }
}

/** What is signed, but for the nonce, for each address that Plivo may know. */
function formatTexts({ target, body }: SignedRequest, publicUrl: string | undefined): string[] {
  const { path, query } = splitTarget(target)
  const [asked, form] = [parseFormParameters(query), parseFormParameters(body.toString())]
  if (!asked || !form) return []
  const queryText = sorted(asked)
    .flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
    .join('&')
  const formText = sorted(form)
    .flatMap(([name, values]) => values.map((value) => name + value))
    .join('')
  // The marks are where Plivo's own libraries set them: a form without a query has a question mark before it.
  const mark = queryText || formText ? '?' : ''
  const end = queryText && formText ? '.' : ''
  return listAddresses(publicUrl, path).map((address) => `${address}${mark}${queryText}${end}${formText}`)
}
