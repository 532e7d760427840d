/** Plivo's signature: lists of them, and addresses with and without a query. */
import { describe, expect, it } from 'vitest'
import { type Vector, vectors, verifierOf } from './vectors.ts'

const vector = vectors['plivo-v3'] as Vector
const { report } = vector
const good = report.headers['x-plivo-signature-v3'] ?? ''
const signedWith = (headers: Record<string, string>) => ({ ...report, headers: { ...report.headers, ...headers } })

describe('a report of Plivo', () => {
  it('is taken when one signature of the list is right', () => {
    const other = `${'A'.repeat(43)}=`
    for (const list of [`${other},${good}`, `${good},${other}`, `${other}, ${good}`]) {
      expect(verifierOf(vector)(signedWith({ 'x-plivo-signature-v3': list })), list).toBe(true)
    }
    expect(verifierOf(vector)(signedWith({ 'x-plivo-signature-v3': `${other},${other}` }))).toBe(false)
  })

  it('is taken when the main account signed it, above the account that sends', () => {
    const headers = { 'x-plivo-signature-v3': `${'A'.repeat(43)}=`, 'x-plivo-signature-ma-v3': good }
    expect(verifierOf(vector)(signedWith(headers))).toBe(true)
  })

  it('is refused under another nonce, or with none', () => {
    for (const nonce of ['', '1', '12345678901234567891', '12345678901234567890 ']) {
      expect(verifierOf(vector)(signedWith({ 'x-plivo-signature-v3-nonce': nonce })), nonce).toBe(false)
    }
  })

  /** `validateV3Signature` of plivo 4.79.0 takes each of them. */
  it.each([
    ['POST', '/providers/a/c/tok?z=1&a=x%20y&a=b', 'bN7Bex5kUbbLg1tMR3rwYRFYrxKFIZRA7u9aXW0OASI='],
    ['POST', '/providers/a/c/tok', 'B9n2RTh9jVtLQtcMvLJNAvjxjeBdjBcvL7rnxgykGe8='],
    ['GET', report.target, 'FbIM6+J9SQn6CtzeQN8JGQxNy/WbRIFZVzKjO51EX8E='],
  ])('by %s to %s is taken as Plivo signs it', (method, target, signature) => {
    const token = target.includes('tok') ? 'tok' : vector.token
    const body = method === 'GET' ? Buffer.alloc(0) : report.body
    const signed = { ...signedWith({ 'x-plivo-signature-v3': signature }), method, target, body }
    expect(verifierOf({ ...vector, token })(signed)).toBe(true)
    expect(
      verifierOf({ ...vector, token })({ ...signed, target: `${target}${target.includes('?') ? '&' : '?'}y=1` }),
    ).toBe(false)
  })
})
