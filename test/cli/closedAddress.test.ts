/** What is said to an operator whose connection leads where it may not. */
import { expect, it } from 'vitest'
import { findHint, withHint } from '../../src/cli/channels/closedAddress.ts'
import { faultsIn, Refusal } from '../../src/kit/refusal.ts'
import { createAddressGuard } from '../../src/outbound/address.ts'

const closed = 'channels.yaml:1: entry 1, provider_file: request.url: this address is not allowed'

function linesAfter(error: Error): readonly string[] {
  try {
    return withHint(error)
  } catch (thrown) {
    return thrown instanceof Refusal ? thrown.lines : [String(thrown)]
  }
}

it('names the setting that opens an address, once, below all faults', () => {
  const lines = linesAfter(faultsIn([closed, 'channels.yaml:9: entry 2, from: is missing', closed]))
  expect(lines).toHaveLength(4)
  expect(lines.at(-1)).toContain('CHANNELS_ALLOW_NETWORKS')
  expect(findHint(closed)).toBe(lines.at(-1))
})

it.each(['https://10.1.2.3/', 'http://127.0.0.1:8080/sms'])('says it of %s', (url) => {
  expect(findHint(createAddressGuard({}).faultOfUrl(url)!)).toBe(findHint(closed))
})

it('says nothing of it for what is wrong otherwise', () => {
  expect(linesAfter(new Refusal('channels.yaml must be a list of channels.'))).toHaveLength(1)
  expect(linesAfter(new Error('this address is not allowed'))).toEqual(['Error: this address is not allowed'])
  expect(findHint('good     settings taken')).toBeUndefined()
})
