/** The provider files that ship. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleFaults } from '../../../../src/delivery/channels/sms/examples.ts'
import { checkProviderFile, readProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { compileRequest } from '../../../../src/delivery/channels/sms/request.ts'
import type { MessageValues } from '../../../../src/delivery/channels/sms/template.ts'

const folder = join(import.meta.dirname, '../../../../src/delivery/channels/sms/providers')
const names = readdirSync(folder).map((name) => name.replace(/\.yaml$/, ''))
const textOf = (name: string) => readFileSync(join(folder, `${name}.yaml`), 'utf8')

it('ship for thirteen providers, and for three apps on a phone', () => {
  const regional = ['africastalking', 'msg91', 'unifonic', '46elks']
  const global = ['twilio', 'vonage', 'infobip', 'telnyx', 'plivo', 'sinch', 'messagebird']
  expect(names.toSorted()).toEqual(
    [...global, ...regional, 'kannel', 'jasmin', 'smsgate', 'httpsms', 'textbee'].toSorted(),
  )
})

it.each([
  ['482913 is your code.', { content: '482913 is your code.', coding: '0' }],
  ['Код: 1', { 'hex-content': '041a043e0434003a00200031', coding: '8' }],
])('jasmin is given the text "%s" as it has to have it: what is not GSM, in UCS-2', (text, wanted) => {
  const { file } = readProviderFile(textOf('jasmin'))
  const settings = { base_url: ['http://10.0.0.5:1401'], username: ['watchword'], password: ['word'] }
  const parts = { declared: new Set(Object.keys(file!.settings)), settings, baseUrl: undefined }
  const request = compileRequest(file!.request, parts)({ to: '+14155550100', text } as MessageValues)
  const { content, 'hex-content': hex, coding } = Object.fromEntries(new URLSearchParams(request?.body))
  expect({ content, 'hex-content': hex, coding }).toEqual({ content: undefined, 'hex-content': undefined, ...wanted })
})

it('jasmin is asked to report what an SMSC refuses, not only what becomes of a message at the phone', () => {
  const { file } = readProviderFile(textOf('jasmin'))
  expect(file?.request.body).toMatchObject({ 'dlr-level': 3 })
  expect(file?.report?.map).toMatchObject({ ESME_RINVDSTADR: 'failed', ESME_ROK: 'sent', DELIVRD: 'delivered' })
})

describe.each(names)('%s', (name) => {
  it('is a file without a fault, under its own name', () => {
    const { file, faults } = { faults: [], file: undefined, ...checkProviderFile(textOf(name)) }
    expect(faults).toEqual([])
    expect(file?.provider).toBe(name)
  })

  it('reads its own examples of answers and reports as it says', () => {
    const { file } = { file: undefined, ...readProviderFile(textOf(name)) }
    expect(file?.examples.length).toBeGreaterThan(3)
    expect(file && exampleFaults(file)).toEqual([])
  })

  it('names the public sources of what it says', () => {
    expect(textOf(name).split('\nprovider:')[0]).toMatch(/^(#.*\n)*#.*https:\/\//)
  })

  it('tells what each setting is', () => {
    const read = readProviderFile(textOf(name))
    const untold = Object.entries(read.file?.settings ?? {}).filter(([, { about }]) => !about)
    expect(untold).toEqual([])
  })
})
