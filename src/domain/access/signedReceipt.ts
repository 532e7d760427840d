/** Receipts: proofs that a phone was verified, which others believe without asking this service. */
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Mode } from '../../store/schema/schema.ts'
import type { KnownReceiptKeys, ReceiptSigner } from './knownReceiptKeys.ts'

/** What a caller wants on a receipt. */
export interface ReceiptWish {
  /** Whom it is for: nobody else believes it. */
  audience: string
  /** What the audience has asked for it with. */
  nonce?: string | undefined
}

/** A receipt that can be signed. */
export interface ReceiptOrder {
  wish: ReceiptWish
  issuer: string
  signer: ReceiptSigner
  /** The number that the caller checks by, as it is written there; left out where that is not known. */
  phone?: string | undefined
}

export interface ReceiptOrderParts {
  /** PUBLIC_URL, or the address of a sandbox: without one, no receipt can say whose it is. */
  issuer: () => string | undefined
  signer: KnownReceiptKeys['signer']
}

/** Before a code is compared: an attempt is not to be used up where no receipt can be had. */
export type OrderReceipt = (
  mode: Mode,
  wish: ReceiptWish | undefined,
) => Promise<ReceiptOrder | Problem<'invalid_request' | 'service_unavailable'> | undefined>

export function createOrderReceipt({ issuer: issuerOf, signer: signerOf }: ReceiptOrderParts): OrderReceipt {
  return async (mode, wish) => {
    if (!wish) return undefined
    const issuer = issuerOf()
    if (issuer === undefined) return noIssuer()
    const signer = await signerOf(mode)
    return signer ? { wish, issuer, signer } : unavailable()
  }
}

/** What a receipt says beside what was wished for. */
export interface ReceiptFacts {
  /** Of the verification. */
  id: string
  /** Whose key asked. Other accounts of the installation have the same issuer and keys. */
  accountId: string
  /** Of the numbers under which the phone may be called, the one that stands for it. */
  phone: string
  /** The connection that carried the code. */
  connection: string
  mode: Mode
  at: Date
}

/** Seconds. */
const goodForSeconds = 600

/** @returns a JWS in its compact form, the same bytes for the same facts and key */
export async function signReceipt(order: ReceiptOrder, facts: ReceiptFacts): Promise<string> {
  // Most processes never sign one.
  const { SignJWT } = await import('jose')
  const { wish, issuer, signer, phone = facts.phone } = order
  const { id, accountId: account, connection, mode, at } = facts
  const { audience, nonce } = wish
  const issuedAt = Math.floor(at.getTime() / 1000)
  const own = mode === 'test' ? { mode } : {}
  return new SignJWT({ phone_number: phone, phone_number_verified: true, account, channel: connection, nonce, ...own })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'watchword-receipt+jwt', kid: signer.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + goodForSeconds)
    .setJti(id)
    .sign(signer.privateKey)
}

function noIssuer(): Problem<'invalid_request'> {
  const message = 'The service has no public address that a receipt could name as its issuer.'
  return new Problem('invalid_request', { message, details: [{ field: '/receipt', code: 'unknown', message }] })
}
