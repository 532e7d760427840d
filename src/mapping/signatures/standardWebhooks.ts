/** `standard-webhooks`: https://www.standardwebhooks.com, as our own events are signed. */
import { parseSecret, verifySignature } from '../../outbound/signature.ts'
import type { SchemeParts, SignedRequest, Verify } from './signedRequest.ts'

/** @returns what is wrong with a secret, as the end of a sentence */
export function faultOfSecret(secret: string): string | undefined {
  const parsed = parseSecret(secret)
  return 'fault' in parsed ? parsed.fault : undefined
}

export function createStandardWebhooks({ keys, now }: Omit<SchemeParts, 'publicUrl'>): Verify {
  return ({ headers, body }) => verifySignature(headers, body, keys, now())
}

/** @returns the time that a post has in its headers, as it stands there */
export function standardTimeOf(headers: SignedRequest['headers']): string | undefined {
  return headers['webhook-timestamp']
}
