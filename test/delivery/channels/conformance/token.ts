/** Whose report it is, where nothing proves it but a secret at the end of its address. */
import { expect, it } from 'vitest'
import type { Report } from '../../../../src/delivery/channel.ts'
import { foreignReports } from './material.ts'
import { told } from './reports.ts'
import type { Scene } from './scene.ts'
import { describeComparison } from './signatures.ts'

export function describeToken(scene: Scene): void {
  const good = () => scene.signed(scene.bodies([told(scene)])[0]!)
  const verify = (report: Report) => scene.channel.verify(report)
  const withToken = (change: (token: string) => string): Report => {
    const { target = '', ...rest } = good()
    const [, before = '', token = '', after = ''] = /^(.*\/)([^/?]+)(\?.*)?$/.exec(target) ?? []
    return { ...rest, target: before + change(token) + after }
  }

  it("takes its provider's report for true, and as often as it comes", () => {
    expect([verify(good()), verify(good())]).toEqual([true, true])
  })

  it('refuses a report of which a character of the secret in its address was changed', () => {
    const changedAt = (at: number) => (token: string) =>
      token.slice(0, at) + (token[at] === '1' ? '2' : '1') + token.slice(at + 1)
    let length = 0
    withToken((token) => {
      length = token.length
      return token
    })
    expect(length).toBeGreaterThan(20)
    for (let at = 0; at < length; at++) expect(verify(withToken(changedAt(at))), `character ${at}`).toBe(false)
  })

  it('refuses a secret that is missing, cut, long, twice or none at all, and throws nothing', () => {
    const changes: ((token: string) => string)[] = [
      () => '',
      (token) => token.slice(0, -1),
      (token) => token.slice(1),
      (token) => `${token}0`,
      (token) => token + token,
      (token) => `${token}/${token}x`,
      (token) => `?token=${token}`,
      () => '__proto__',
      () => '%',
      () => 'é'.repeat(22),
      () => '0'.repeat(1_000_000),
    ]
    for (const change of changes) expect(verify(withToken(change)), `${change}`).toBe(false)
    const { target: _target, ...without } = good()
    expect(verify(without)).toBe(false)
  })

  it('refuses a report that comes by another method', () => {
    const { method, ...report } = good()
    for (const other of ['GET', 'POST', 'PUT', 'HEAD', '', undefined].filter((one) => one !== method)) {
      expect(verify({ ...report, ...(other !== undefined && { method: other }) }), other).toBe(false)
    }
  })

  it("refuses the report of somebody else's channel of its kind, and those of other kinds", () => {
    const [body] = scene.bodies([told(scene)])
    expect(verify(scene.strangers(body!))).toBe(false)
    expect(scene.stranger.verify(scene.strangers(body!))).toBe(true)
    for (const report of foreignReports) expect(verify(report)).toBe(false)
  })

  describeComparison(scene, () => withToken((token) => [...token].reverse().join('')))
}
