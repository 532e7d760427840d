/** What people are told of what they wrote wrong: no regular expression, and nothing in the words of a library. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { inletForms, toKinds } from '../../src/app/admin.ts'
import { readYaml } from '../../src/cli/files/yamlFile.ts'
import { filledCharactersMax, slugForm, variablesMax } from '../../src/contract/document.ts'
import { readProviderFile } from '../../src/delivery/channels/sms/providerFile.ts'
import { shippedText } from '../../src/delivery/channels/sms/shipped.ts'
import { readEntry } from '../../src/domain/channels/connectionEntry.ts'
import { readInlets } from '../../src/domain/inlets/inletEntry.ts'
import { readProtectionFile } from '../../src/domain/protection/protectionFile.ts'
import { readWording, wordingFaultText } from '../../src/domain/sending/wordings/wordingForm.ts'
import { readTemplates } from '../../src/domain/templates/templateEntry.ts'
import { readKind } from '../../src/inlets/kindFile.ts'
import { inletKinds } from '../../src/inlets/shipped.ts'
import { readBoundedYaml } from '../../src/kit/reading/boundedYaml.ts'
import type { PlacedFault } from '../../src/kit/reading/formFaults.ts'
import { foreignWords, wrongOnes } from '../support/foreignWords.ts'
import { type Simulated, startSimulated } from '../support/simulated.ts'
import { read } from '../support/source.ts'

const kinds = toKinds({ channelsAllowNetworks: [], production: false, opsPort: 1, outboundProxy: undefined })
const rules = { slugForm, variablesMax, charactersMax: filledCharactersMax, kinds }
const textsOf = (faults: readonly PlacedFault[] = []) => faults.map(({ fault }) => fault)

/** @returns what people are told; empty where nothing is wrong */
type Judge = (value: unknown) => string[] | Promise<string[]>

const connections: Record<string, object> = {
  whatsapp: {
    ...{
      id: 'wa',
      kind: 'whatsapp',
      phone_number_id: '106540352242922',
      business_account_id: '1',
      access_token: 'EAAG-token',
      countries: ['DE'],
    },
    ...{
      app_secret: '0123456789abcdef0123456789abcdef',
      verify_token: 'verify',
      code_template: { name: 'code', language: 'de' },
    },
    ...{ failover_seconds: 30, per_second: 80, graph_version: 'v23.0', base_url: 'https://graph.facebook.com' },
  },
  telegram: {
    id: 'tg',
    kind: 'telegram',
    access_token: 'AAH-token',
    sender_username: 'acme',
    base_url: 'https://acme.com',
  },
  sms: {
    ...{ id: 'tw', kind: 'sms', provider: 'twilio', account_sid: `AC${'0'.repeat(32)}`, auth_token: '0'.repeat(32) },
    ...{ from: '+14155550100', from_by_country: { DE: 'Acme' }, reports: 'handset', per_second: 10 },
  },
  http: {
    id: 'own',
    kind: 'http',
    url: 'https://gateway.acme.com/send',
    secret: `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`,
  },
}

const rule = {
  ...{
    id: 'a',
    by: 'country',
    count: 'unverified',
    window: '1h',
    settles: '2m',
    do: 'block',
    only: { countries: ['DE'] },
  },
  over: { constant: 5, verified: { times: 2, per: 1, window: '1h' }, max14d: 2 },
  when: { conversion_under: 0.2, without_history: '7d' },
  except: { countries: ['DE'], networks: ['10.0.0.0/8'], phones: ['+49*'] },
}
const budgets = [{ id: 'all', countries: ['DE'], messages: 10, money: '12.50 EUR' }]

const doors: Record<string, [good: unknown, judge: Judge]> = {
  ...Object.fromEntries(
    Object.entries(connections).map(([kind, entry]): [string, [unknown, Judge]] => [
      `a connection of ${kind}`,
      [entry, (value) => [true, false].flatMap((byPerson) => textsOf(readEntry(value, kinds, { byPerson }).faults))],
    ]),
  ),
  'a list of inlets': [
    [
      {
        ...{
          id: 'one',
          kind: 'plain',
          mode: 'live',
          secret: ['the-secret-of-this-inlet'],
          brand_name: 'Acme',
          locale: 'de',
        },
        ...{ autofill: { domain: 'acme.com', app_hash: 'FA+9qCX9VSu' }, settings: { phone: 'to' } },
      },
    ],
    (value) =>
      Array.isArray(value) ? textsOf(readInlets(value, { kinds: inletKinds, forms: inletForms }).faults) : [],
  ],
  'a list of templates': [
    [
      {
        slug: 'hi',
        text: 'Hello {{name}}',
        channels: { whatsapp: { name: 'hi', language: 'de', parameters: ['name'] } },
      },
    ],
    (value) =>
      Array.isArray(value)
        ? readTemplates(value, rules).then(
            () => [],
            (refusal: Error & { faults: PlacedFault[] }) => [refusal.message, ...textsOf(refusal.faults)],
          )
        : [],
  ],
  'a file of words': [
    { default: 'de', domain: 'acme.com', texts: { de: '{{code}}', 'x y': 1 } },
    (value) => {
      const { texts, ...defaults } = (value ?? {}) as { texts?: unknown }
      const written = { ...defaults, texts: Object(texts ?? {}) as Record<string, unknown> }
      return readWording(written, inletForms).faults.map(wordingFaultText)
    },
  ],
  'a list of rules': [[rule], (value) => textsOf(readProtectionFile(stringify(value)).faults)],
  'rules with budgets': [
    { fail: 'open', rules: [], budgets },
    (value) => textsOf(readProtectionFile(stringify(value)).faults),
  ],
}

describe('what is told of a wrong value is in our own words', () => {
  it.each(Object.entries(doors))('in %s', async (_what, [good, judge]) => {
    expect(await judge(good)).toEqual(_what === 'a file of words' ? [expect.any(String), expect.any(String)] : [])
    const told = new Set<string>()
    for (const wrong of wrongOnes(good)) for (const message of await judge(wrong)) told.add(message)
    expect(told.size).toBeGreaterThan(3)
    expect([...told].flatMap(foreignWords)).toEqual([])
  })

  it('in a provider file, and in that of a kind of inlets', () => {
    const judged = [
      [shippedText('46elks')!, (text: string) => textsOf(readProviderFile(text).faults)],
      [read('src/inlets/kinds/plain.yaml'), (text: string) => textsOf(readKind(text).faults)],
    ] as const
    for (const [text, judge] of judged) {
      expect(judge(text)).toEqual([])
      const told = new Set([...wrongOnes(parse(text), ['{{'])].flatMap((wrong) => judge(stringify(wrong))))
      expect(told.size).toBeGreaterThan(20)
      expect([...told].flatMap(foreignWords)).toEqual([])
    }
  })
})

/** A text for each thing that YAML can be wrong in. */
const broken = [
  ...[
    '- [a',
    '- {a: 1',
    '- "a',
    "- 'a",
    'a: b: c',
    '\ta: 1',
    'a: *nothing',
    'a: !x !y 1',
    'a: &x &y 1',
    'a: @b',
    'a: `b`',
    '%x\n---\na: 1',
  ],
  ...[
    'a: "\\q"',
    'a: 1\na: 2',
    'a\nb: 1',
    '- a\nb: 1',
    'a: 1\n---\nb: 2',
    '? [a]\n: 1',
    'a: }',
    'a: [1, 2]]',
    '&a [*a]',
    '[a: 1, - b]',
  ],
  ...[
    `${'x'.repeat(1100)}: 1`,
    'a: !!int x',
    'a:\n  b: 1\n c: 2',
    'a: |x',
    '['.repeat(20_000),
    'a: !!set [1]',
    '&a *a',
    'a: "x" y',
  ],
  ['- &a [x]', ...Array.from('bcdefgh', (name, i) => `- &${name} [${`*${'abcdefg'[i]},`.repeat(9)}]`)].join('\n'),
]

describe('what is told of a text that is no YAML is in our own words', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-messages-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('in a list, and in a file that another person may have made', async () => {
    const told: string[] = []
    for (const text of broken) {
      const file = join(folder, 'list.yaml')
      await writeFile(file, text)
      await readYaml(file).catch((error: Error) => told.push(error.message.replace(file, 'list.yaml')))
      told.push(...textsOf(readBoundedYaml(text).faults))
    }
    await readYaml(join(folder, 'none.yaml')).catch((error: Error) => told.push(error.message))
    await readYaml(folder).catch((error: Error) => told.push(error.message))
    expect(told.length).toBeGreaterThan(broken.length)
    expect(told.flatMap(foreignWords)).toEqual([])
  })
})

describe('what the simulator says of a wrong request is in our own words', () => {
  let simulated: Simulated
  beforeAll(async () => {
    simulated = await startSimulated()
  })
  afterAll(() => simulated.close())

  it.each<[method: string, path: string, good: object]>([
    ['PUT', '/phones/+14155552671', { fault: 'token-refused', wire: 'sms' }],
    ['PUT', '/chaos', { probability: 0.5, seed: 1, faults: ['token-refused'] }],
    ['PUT', '/slowness', { every: 1, ms: 1 }],
    [
      'PUT',
      '/webhooks',
      { whatsapp: 'https://acme.com', numbers: { 1: 'https://acme.com' }, sms: { a: 'https://acme.com' } },
    ],
    ['POST', '/reports', { id: 'a', status: 'failed', code: '131026' }],
  ])('%s %s', async (method, path, good) => {
    const told = new Set<string>()
    for (const wrong of wrongOnes(good)) {
      const { status, json } = await simulated.admin(method, path, wrong as object)
      if (status === 400) told.add(JSON.stringify(json))
    }
    expect(told.size).toBeGreaterThan(1)
    expect([...told].flatMap(foreignWords)).toEqual([])
  })
})
