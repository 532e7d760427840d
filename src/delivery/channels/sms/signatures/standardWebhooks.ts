/** `standard-webhooks`: https://www.standardwebhooks.com, as our own events are signed. */
import { z } from 'zod'
import { parseSecret, verifySignature } from '../../../../outbound/signature.ts'
import type { SchemeParts, Verify } from './signedReport.ts'

export const standardWebhooksForm = z.strictObject({ scheme: z.literal('standard-webhooks'), key: z.string() })

/** @returns what is wrong with a secret, as the end of a sentence */
export function faultOfSecret(secret: string): string | undefined {
  const parsed = parseSecret(secret)
  return 'fault' in parsed ? parsed.fault : undefined
}

export function createStandardWebhooks({ key, now }: Pick<SchemeParts, 'key' | 'now'>): Verify {
  return ({ headers, body }) => verifySignature(headers, body, [key], now())
}
