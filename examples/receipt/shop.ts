/** The second service: it believes a phone because of a receipt. It has no key of Watchword, and never asks it about anybody. */
import { randomBytes } from 'node:crypto'
import express from 'express'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

const { WATCHWORD_URL = 'http://127.0.0.1:3000', WATCHWORD_ACCOUNT = 'acct_default', PORT = '8081' } = process.env
const [nonceMs, noncesMax] = [10 * 60_000, 100_000]

/** jose keeps the public keys for ten minutes, and fetches them again when a receipt names a new one. */
const keys = createRemoteJWKSet(new URL(`${WATCHWORD_URL}/.well-known/jwks.json`))
const [issuer, audience, typ] = [WATCHWORD_URL, 'shop', 'watchword-receipt+jwt']
/** The clocks of two machines differ by seconds. */
const expected = { issuer, audience, typ, algorithms: ['EdDSA'], clockTolerance: 30 }

/** When each ends, in milliseconds. With several processes, this is a table that all of them share. */
const nonces = new Map<string, number>()

const app = express()
app.use(express.json())

app.post('/nonces', (_request, response) => {
  for (const [oldest, endsAt] of nonces) {
    if (endsAt >= Date.now() && nonces.size < noncesMax) break
    nonces.delete(oldest)
  }
  const nonce = randomBytes(16).toString('base64url')
  nonces.set(nonce, Date.now() + nonceMs)
  response.status(201).json({ nonce })
})

app.post('/orders', async (request, response) => {
  const phone = await phoneIn(request.body?.receipt)
  if (phone) response.status(201).json({ order: 'taken', phone })
  else response.status(401).json({ error: 'Verify your phone again.' })
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is at http://127.0.0.1:${PORT}`))

/** @returns undefined for what is no receipt for this service, is too old, or came before */
async function phoneIn(receipt: string): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(receipt, keys, expected)
    // Every account of Watchword can ask for a receipt for this shop.
    if (payload.account !== WATCHWORD_ACCOUNT) return undefined
    return isTaken(payload.nonce) ? payload.phone_number : undefined
  } catch (error) {
    // The keys could not be fetched. That says nothing against the receipt: Express answers 500.
    if (!(error instanceof errors.JOSEError) || ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code))
      throw error
    return undefined
  }
}

/** A nonce is good once, and a receipt has one. So a receipt is good once. */
function isTaken(nonce: unknown): boolean {
  const endsAt = nonces.get(String(nonce))
  return nonces.delete(String(nonce)) && endsAt !== undefined && endsAt >= Date.now()
}
