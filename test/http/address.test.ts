import { describe, expect, it } from 'vitest'
import { findSender, toNetwork } from '../../src/http/address.ts'

describe('callers are told apart', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('by an IPv4 address, or the first half of an IPv6 one: %s', (address, network) => {
    expect(toNetwork(address)).toBe(network)
  })
})

describe('whom a request came from', () => {
  const from = (forwarded: string | undefined, proxies: number) =>
    findSender({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }, proxies)

  it('is who asked us, while no proxy is believed', () => {
    expect(from('198.51.100.7', 0)).toBe('10.0.0.1')
  })

  it('is whom the outermost of our proxies was asked by, whatever that one has written', () => {
    expect(from('203.0.113.9, 198.51.100.7', 1)).toBe('198.51.100.7')
    expect(from('203.0.113.9, 198.51.100.7, 10.0.0.2', 2)).toBe('198.51.100.7')
    expect(from('2001:db8::1', 1)).toBe('2001:db8::1')
  })

  // https://github.com/goauthentik/authentik/issues/25679
  it.each([
    ['203.0.113.9:1, 198.51.100.7:51324', '198.51.100.7'],
    ['[2001:db8::1]:51324', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
  ])('is without the port that some proxies name: %s', (forwarded, address) => {
    expect(from(forwarded, 1)).toBe(address)
  })

  it.each([undefined, '', 'unknown', '198.51.100.7:', '198.51.100:1234', '[198.51.100.7', '<b>'])(
    'is who asked us where a proxy says %j',
    (forwarded) => {
      expect(from(forwarded, 1)).toBe('10.0.0.1')
    },
  )
})
