import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { computeHmac } from '../../../src/domain/access/hmac.ts'

const secret = randomBytes(32)
const key = createSecretKey(secret)
const texts = ['', 'a', '+4915112345678', 'ø', '😀'.repeat(85), '漢'.repeat(341), '漢'.repeat(342), 'x'.repeat(5000)]

it.each(texts)('HMAC-SHA-256 of a text is that of RFC 2104, whatever its length and alphabet: %.12s', (text) => {
  const expected = createHmac('sha256', secret)
    .update(`${Buffer.byteLength(text)}:${text}`)
    .digest()
  expect(computeHmac(key, [text])).toEqual(expected)
  expect(computeHmac(key, [Buffer.from(text)])).toEqual(expected)
})

it.each([1, 32, 64, 65, 200])('HMAC-SHA-256 with a key of %i bytes is that of RFC 2104', (bytes) => {
  const long = randomBytes(bytes)
  expect(computeHmac(createSecretKey(long), ['one', 'two'])).toEqual(
    createHmac('sha256', long).update('3:one3:two').digest(),
  )
})

it('an HMAC says nothing of the one before: neither a longer text nor another key shows', () => {
  const once = () => computeHmac(key, ['short']).toString('hex')
  const first = once()
  computeHmac(key, ['a text that is a good deal longer'])
  computeHmac(createSecretKey(randomBytes(32)), ['short'])
  expect(once()).toBe(first)
})

it('the same characters in other parts are another text', () => {
  const made = [['ab', 'c'], ['a', 'bc'], ['abc'], ['a', 'b', 'c']].map((parts) =>
    computeHmac(key, parts).toString('hex'),
  )
  expect(new Set(made).size).toBe(4)
})
