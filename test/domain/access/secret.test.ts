import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../src/domain/access/secret.ts'

const [older, newer] = ['an older secret, of enough characters', 'a newer secret, of enough characters']
const before = createSecrets([older])
const between = createSecrets([newer, older])
const after = createSecrets([newer])

describe('a signature', () => {
  it('is good for what was signed, and for nothing else', () => {
    const { hmac, keyId } = before.sign('code', 'req_1', '123456')
    expect(hmac).toHaveLength(32)
    expect(before.verify('code', hmac, keyId, 'req_1', '123456')).toBe(true)
    expect(before.verify('code', hmac, keyId, 'req_1', '123457')).toBe(false)
    expect(before.verify('code', hmac, keyId, 'req_2', '123456')).toBe(false)
    const other = Buffer.from(hmac)
    other.writeUInt8(other.readUInt8(31) ^ 1, 31)
    expect(before.verify('code', other, keyId, 'req_1', '123456')).toBe(false)
  })

  it('knows where one part ends and the next begins', () => {
    const strings = fc.array(fc.constantFrom('', '1', '11', '1:', ':1', '1:1', 'é', '0:'), { maxLength: 4 })
    fc.assert(
      fc.property(strings, strings, (signed, shown) => {
        const { hmac, keyId } = before.sign('code', ...signed)
        const same = JSON.stringify(signed) === JSON.stringify(shown)
        expect(before.verify('code', hmac, keyId, ...shown)).toBe(same)
      }),
      { numRuns: 500 },
    )
  })

  it('for one purpose means nothing for another', () => {
    const { hmac, keyId } = before.sign('code', 'the same')
    expect(before.verify('code', hmac, keyId, 'the same')).toBe(true)
    expect(before.verify('fingerprint', hmac, keyId, 'the same')).toBe(false)
    expect(before.sign('fingerprint', 'the same').hmac).not.toEqual(hmac)
  })

  it('is made with the first secret', () => {
    expect(between.sign('code', 'x')).toEqual(after.sign('code', 'x'))
    expect(between.sign('code', 'x').keyId).not.toBe(before.sign('code', 'x').keyId)
  })

  it('of an older secret stays good for as long as that is held, and no longer', () => {
    const { hmac, keyId } = before.sign('code', 'x')
    expect(between.verify('code', hmac, keyId, 'x')).toBe(true)
    expect(after.verify('code', hmac, keyId, 'x')).toBe(false)
    expect(after.verify('code', hmac, after.sign('code', 'x').keyId, 'x')).toBe(false)
  })

  it('names its key without telling the secret', () => {
    const { keyId } = before.sign('code', 'x')
    expect(keyId).toMatch(/^[0-9a-f]{8}$/)
    expect(older).not.toContain(keyId)
  })
})

describe('sealed text', () => {
  it('is opened as it was, for the context that it was sealed for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(before.open(before.seal(plain, context), context)).toBe(plain)
      }),
    )
  })

  it('opens for no other context', () => {
    const sealed = before.seal('123456', 'acct_1/req_1')
    expect(before.open(sealed, 'acct_1/req_1')).toBe('123456')
    for (const context of ['acct_1/req_2', 'acct_2/req_1', 'acct_1/req_1 ', '']) {
      expect(() => before.open(sealed, context)).toThrow()
    }
  })

  it('holds nothing of the text, and is never the same twice', () => {
    const sealed = Array.from({ length: 100 }, () => before.seal('123456', 'x').toString('hex'))
    expect(new Set(sealed).size).toBe(100)
    expect(sealed.filter((hex) => hex.includes(Buffer.from('123456').toString('hex')))).toEqual([])
  })

  it('opens no more when any one byte of it is changed, or the end is cut off', () => {
    const sealed = before.seal('123456', 'x')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => before.open(changed, 'x')).toThrow()
      expect(() => before.open(sealed.subarray(0, at), 'x')).toThrow()
    }
    expect(before.open(sealed, 'x')).toBe('123456')
  })

  it('is sealed with the first secret, and opened with any', () => {
    expect(between.open(before.seal('old', 'x'), 'x')).toBe('old')
    expect(after.open(between.seal('new', 'x'), 'x')).toBe('new')
    expect(() => before.open(between.seal('new', 'x'), 'x')).toThrow()
  })

  it('is known to be of the first secret or of an older one', () => {
    expect(between.isCurrent(between.seal('x', 'y'))).toBe(true)
    expect(between.isCurrent(after.seal('x', 'y'))).toBe(true)
    expect(between.isCurrent(before.seal('x', 'y'))).toBe(false)
    expect(between.isCurrent(new Uint8Array())).toBe(false)
  })

  it('of a secret that was removed does not open', () => {
    expect(() => after.open(before.seal('old', 'x'), 'x')).toThrow('not held any more')
  })
})

describe('the secrets', () => {
  it('are at least one', () => {
    expect(() => createSecrets([])).toThrow()
  })
})
