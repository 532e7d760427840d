/** Twilio's signature: the address as the world has it, and a form whatever its order. */
import { describe, expect, it } from 'vitest'
import { target, type Vector, vectors, verifierOf } from './vectors.ts'

const vector = vectors['twilio, a form'] as Vector
const signedWith = (signature: string, body?: string) => ({
  ...vector.report,
  headers: { ...vector.report.headers, 'x-twilio-signature': signature },
  ...(body !== undefined && { body: Buffer.from(body) }),
})

describe('a report of Twilio', () => {
  /** By twilio 6.2.0, for the same form at the address without a port, with :443 and with :8443. */
  const [without, standard, other] = [
    'LjgLijwhj7g5ZZ5U6dBcUeLaY80=',
    'VVinBs0no3gOFcJ36T5NCAwRFwQ=',
    'g+eAjn+pvVihf2qzf7CT60sXf84=',
  ]

  it.each([
    ['https://sms.example.com', [true, true, false]],
    ['https://sms.example.com:443', [true, true, false]],
    ['https://sms.example.com:8443', [true, false, true]],
    ['https://sms.example.com:80', [true, false, false]],
  ])('is taken whether Twilio signed the port of %s or not', (publicUrl, good) => {
    const verify = verifierOf(vector, { publicUrl })
    expect([without, standard, other].map((signature) => verify(signedWith(signature)))).toEqual(good)
  })

  it('is signed over its parameters in the order of their names', () => {
    const parameters = [...new URLSearchParams(vector.report.body.toString())]
    expect(verifierOf(vector)(signedWith(without, `${new URLSearchParams(parameters.toReversed())}`))).toBe(true)
  })

  it('has each value of a repeated name signed once', () => {
    // By twilio 6.2.0, for { Status: ['b', 'a', 'b'], Sid: '1' }.
    const signature = 'gyS3Q8qoKppDaXuQBbRpRONBEfc='
    expect(verifierOf(vector)(signedWith(signature, 'Status=b&Status=a&Status=b&Sid=1'))).toBe(true)
    expect(verifierOf(vector)(signedWith(signature, 'Status=b&Status=c&Sid=1'))).toBe(false)
  })

  it('in JSON is refused when the hash of the body is missing, wrong, or of another body', () => {
    const { report, ...rest } = vectors['twilio, JSON'] as Vector
    const verify = verifierOf({ ...rest, report })
    const hashed = report.target.split('bodySHA256=')[1] ?? ''
    expect(verify({ ...report, target: report.target.replace(hashed, hashed.toUpperCase()) })).toBe(false)
    expect(verify({ ...report, target: report.target.replace(hashed, '0'.repeat(64)) })).toBe(false)
    expect(verify({ ...report, target })).toBe(false)
    expect(verify({ ...report, body: Buffer.from('{}') })).toBe(false)
  })

  it('is refused when it has more parameters, or is longer, than a report can be', () => {
    const verify = verifierOf(vector)
    expect(verify(signedWith(without, 'a&'.repeat(1_500_000)))).toBe(false)
    expect(verify(signedWith(without, 'a'.repeat(3_000_000)))).toBe(false)
  })
})
