/** Whose report it is. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { Report } from '../../../../src/delivery/channel.ts'
import { foreignReports } from './material.ts'
import { told } from './reports.ts'
import type { ChannelDescription, Scene } from './scene.ts'

export function describeSignatures({ proof }: ChannelDescription, scene: Scene): void {
  const good = () => scene.signed(scene.bodies([told(scene)])[0]!)
  const verify = (report: Report) => scene.channel.verify(report)
  const withHeader = ({ headers, ...rest }: Report, name: string, value: string) => ({
    ...rest,
    headers: { ...headers, [name]: value },
  })

  it("takes its provider's report for true, and as often as it comes", () => {
    expect([verify(good()), verify(good())]).toEqual([true, true])
  })

  it('refuses a report with one byte changed, in the body or in a header', () => {
    const report = good()
    for (let at = 0; at < report.body.length; at++) {
      const body = Buffer.from(report.body)
      body[at]! ^= 1
      expect(verify({ ...report, body }), `byte ${at} of the body`).toBe(false)
    }
    for (const body of [Buffer.alloc(0), report.body.subarray(1), Buffer.concat([report.body, Buffer.from(' ')])]) {
      expect(verify({ ...report, body })).toBe(false)
    }
    for (const [name, value] of Object.entries(report.headers)) {
      for (let at = 0; at < value.length; at++) {
        const changed = value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1)
        expect(verify(withHeader(report, name, changed)), `character ${at} of ${name}`).toBe(false)
      }
    }
  })

  it('refuses a signature that is missing, empty, cut, long, twice or none at all, and throws nothing', () => {
    const report = good()
    expect(verify({ ...report, headers: {} })).toBe(false)
    for (const [name, value] of Object.entries(report.headers)) {
      const { [name]: _without, ...headers } = report.headers
      expect(verify({ ...report, headers }), `without ${name}`).toBe(false)
      const cut = [value.slice(0, -1), value.slice(0, -2), value.slice(1), value.slice(0, 8)]
      const long = [`${value}0`, `${value}00`, value + value, `${value}, ${value}`, '0'.repeat(1_000_000)]
      const none = [
        '',
        ' ',
        '=',
        'null',
        '__proto__',
        value.replace(/.$/, 'g'),
        value.replace(/..$/, 'é'),
        '\0'.repeat(64),
      ]
      const others = [...cut, ...long, ...none, value.replace(/[0-9a-f]/g, 'z'), ' '.repeat(1_000_000)]
      for (const other of others.filter((one) => one !== value)) {
        expect(verify(withHeader(report, name, other)), `${name}: ${other.slice(0, 100)}`).toBe(false)
      }
    }
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(report.headers)), fc.string({ unit: 'binary' }), (name, value) => {
        expect(verify(withHeader(report, name, value))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
  describeForeign(scene)
  // Who verifies by a public key holds nothing that the time could tell.
  if (proof !== 'public key') describeComparison(scene, () => ({ ...good(), body: Buffer.from('{}') }))
}

function describeForeign(scene: Scene): void {
  const good = () => scene.signed(scene.bodies([told(scene)])[0]!)
  const verify = (report: Report) => scene.channel.verify(report)

  it("refuses the report of somebody else's channel of its kind, and those of other kinds", () => {
    const [body] = scene.bodies([told(scene)])
    expect(verify(scene.strangers(body!))).toBe(false)
    expect(scene.stranger.verify(scene.strangers(body!))).toBe(true)
    for (const report of foreignReports) {
      expect(verify(report)).toBe(false)
      expect(verify({ ...good(), headers: { ...good().headers, ...report.headers }, body: report.body })).toBe(false)
    }
  })
}

/** @param forged a report that has what is compared, and is not true */
export function describeComparison(scene: Scene, forged: () => Report): void {
  const good = () => scene.signed(scene.bodies([told(scene)])[0]!)
  const verify = (report: Report) => scene.channel.verify(report)

  it('decides by the comparison that takes the same time wherever the difference is', () => {
    // Time itself is not measured: what is seen is that the verdict comes from there, for a true and for a false one.
    const compare = vi.spyOn(crypto, 'timingSafeEqual')
    syncBuiltinESMExports()
    try {
      // With each secret, while there are two.
      const verdicts = () => new Set(compare.mock.results.map(({ value }) => value as boolean))
      verify(good())
      expect(verdicts()).toContain(true)
      compare.mockClear()
      verify(forged())
      // The token of an address is compared too, and is good here.
      expect(verdicts()).toContain(false)
      compare.mockReturnValue(true)
      expect(verify(forged())).toBe(true)
    } finally {
      compare.mockRestore()
      syncBuiltinESMExports()
    }
  })
}
