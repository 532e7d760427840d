/** Vonage's signature over sorted parameters. */
import { describe, expect, it } from 'vitest'
import { target, type Vector, vectors, verifierOf, vonageParameters, vonageSignatures } from './vectors.ts'

const vector = vectors['sorted-params, a query'] as Vector
const methods = Object.entries(vonageSignatures)

const verifierWith = (hash: string) => verifierOf({ ...vector, signature: { ...vector.signature, hash } })
const asked = (parameters: Record<string, string> | string, to = target) => ({
  ...vector.report,
  target: `${to}&${new URLSearchParams(parameters)}`,
})

describe('a report of Vonage', () => {
  it.each(methods)(
    'is taken as %s signs it, in capitals too, whether Vonage signed our ref or not',
    (hash, signatures) => {
      for (const sig of signatures.flatMap((one) => [one, one.toUpperCase()])) {
        expect(verifierWith(hash)(asked({ ...vonageParameters, sig }))).toBe(true)
      }
    },
  )

  it.each(methods)('that %s signed is refused by every other method', (hash, [sig]) => {
    const taken = methods.filter(([other]) => verifierWith(other)(asked({ ...vonageParameters, sig })))
    expect(taken.map(([other]) => other)).toEqual([hash])
  })

  const sig = vonageSignatures.sha256[0]

  it('is refused without a time, or with two', () => {
    const { timestamp, ...rest } = vonageParameters
    expect(verifierWith('sha256')(asked({ ...rest, sig }))).toBe(false)
    const twice = `${new URLSearchParams({ ...vonageParameters, sig })}&timestamp=${timestamp}`
    expect(verifierWith('sha256')(asked(twice))).toBe(false)
  })

  it('is refused with two signatures, or a parameter twice: it would have two readings', () => {
    const whole = new URLSearchParams({ ...vonageParameters, sig })
    for (const more of [`sig=${sig}`, 'sig=', 'status=failed', 'status=delivered']) {
      expect(verifierWith('sha256')(asked(`${whole}&${more}`)), more).toBe(false)
      expect(verifierWith('sha256')(asked(`${more}&${whole}`)), more).toBe(false)
    }
  })

  it('is refused when a name hides other parameters within it', () => {
    const { scts, status, ...rest } = vonageParameters
    // The text that is signed is the same: &scts=…&status=…
    expect(verifierWith('sha256')(asked({ ...rest, [`scts=${scts}&status`]: status, sig }))).toBe(false)
  })

  it('in JSON is refused when it is a list, has lists in it, or is no JSON', () => {
    const { report } = vectors['sorted-params, JSON'] as Vector
    const verify = verifierOf(vectors['sorted-params, JSON'] as Vector)
    for (const text of [
      '[]',
      'null',
      '"x"',
      '1',
      '{',
      '',
      '{"sig":["a"]}',
      '{"sig":{}}',
      '['.repeat(60_000),
      '{"a":1}',
    ]) {
      expect(verify({ ...report, body: Buffer.from(text) }), text.slice(0, 20)).toBe(false)
    }
  })
})
