/** Provider files: what is wrong with one is named at once, with its line. */
import { describe, expect, it } from 'vitest'
import { readProviderFile } from '../../../../src/delivery/channels/sms/providerFile.ts'
import { textOfFault } from '../../../../src/kit/reading/formFaults.ts'
import { acme } from './acme.ts'

const faultsOf = (text: string) => readProviderFile(text).faults?.map((fault) => textOfFault(fault, 'acme.yaml')) ?? []
/** The file with one text in place of another. */
const withOther = (text: string, other: string) => {
  expect(acme).toContain(text)
  return acme.replace(text, other)
}

describe('a provider file', () => {
  it('with hundreds of faults names the first hundred, and how many more there are', () => {
    const faults = faultsOf(acme + Array.from({ length: 500 }, (_one, index) => `more${index}: 1\n`).join(''))
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toMatch(/^acme\.yaml:\d+: there are 400 more faults$/)
  })

  it.each([
    'https://{{s.base_url}}/v1',
    '{{s.base_url|upper}}/v1',
    'https://acme.example/{{s.base_url}}',
    '{{s.base_url}}{{s.from}}',
  ])('names base_url at the beginning of a URL, as it is: %s is refused', (url) => {
    const file = (place: string) =>
      withOther('  from: {', '  base_url: { host: true }\n  from: {').replace(
        'https://api.acme.example/v1/messages',
        place,
      )
    expect(faultsOf(file('"{{s.base_url}}/v1"'))).toEqual([])
    expect(faultsOf(file(`"${url}"`))).toEqual([expect.stringMatching(/^acme\.yaml:10: request\.url: must /)])
  })

  it.each(['a\\nb', 'a\\x1b', 'ä'])('is refused with %s in a header', (text) => {
    expect(faultsOf(withOther('"Bearer {{s.api_key}}" }\n  as: json', `"Bearer ${text}" }\n  as: json`))).toEqual([
      'acme.yaml:10: request.headers.Authorization: must have no line ends, control characters and letters beyond ASCII',
    ])
  })

  it.each([
    ...['Host', 'content-length', 'Transfer-Encoding', 'Connection', 'EXPECT', 'Upgrade', 'TE', 'Trailer'],
    ...['Keep-Alive', 'Proxy-Authorization', 'proxy-connection', '{{s.from}}'],
  ])('is refused, with its line, when it sets a header that the client writes: %s', (name) => {
    const headers = `headers: { "${name}": gateway.example, `
    expect(faultsOf(withOther('headers: { ', headers))).toContainEqual(
      expect.stringMatching(/^acme\.yaml:10: request\.headers.*: must be /),
    )
  })

  it('is taken when nothing is wrong with it', () => {
    expect(faultsOf(acme)).toEqual([])
  })

  it('has everything that is wrong named at once, each with its line', () => {
    const text = withOther('title: Acme SMS', 'titel: Acme SMS')
      .replace('method: POST', 'method: PATCH')
      .replace('is: down', 'is: dead')
      .replace('{{ttl}}', '{{tll}}')
      .replace('scheme: url-token', 'scheme: none')
    expect(faultsOf(text)).toEqual([
      'acme.yaml:1: title: is missing',
      'acme.yaml:2: titel: is not known',
      'acme.yaml:8: request.method: must be GET, POST or PUT',
      expect.stringMatching(/^acme\.yaml:12: request\.body\.ttl: has an unknown placeholder; /),
      expect.stringMatching(/^acme\.yaml:23: answer.rules, entry 4, is: must be sent, retry, /),
      expect.stringMatching(/^acme\.yaml:35: report\.signature\.scheme: must be one of standard-webhooks, /),
    ])
  })

  it.each([
    ['an unknown name', '"{{text}}"', '"{{txt}}"', /^acme\.yaml:12: request\.body\.text: has an unknown placeholder/],
    [
      'an unknown filter',
      '"{{to}}"',
      '"{{to|exec}}"',
      /:12: request\.body\.to: has a placeholder with an unknown filter/,
    ],
    ['a setting that is not declared', '{{s.profile}}', '{{s.token}}', /:12: .* a setting that is not declared$/],
    ['braces that are not closed', '"{{to}}"', '"{{to"', /:12: request\.body\.to: has "\{\{" or "\}\}"/],
    ['a script', '"{{to}}"', '"{{constructor.constructor(1)}}"', /:12: request\.body\.to: has an unknown placeholder/],
  ])('is refused with a placeholder with %s', (_what, text, other, fault) => {
    expect(faultsOf(withOther(text, other))).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['a setting in the host', 'https://{{s.from}}.acme.example/v1'],
    ['the number in the host', 'https://{{to}}/v1'],
    ['a setting as the port', 'https://api.acme.example:{{s.from}}/v1'],
    ['a setting as the scheme', '{{s.from}}://api.acme.example/v1'],
    ['a setting behind which the host goes on', 'https://api.acme.example{{s.from}}/v1'],
    ['a user', 'https://api.acme.example@evil.example/v1'],
    ['another scheme', 'file:///etc/passwd'],
    ['no scheme', '//evil.example'],
    ['something that can be empty', 'https://api.acme.example/{{code}}'],
    ['a filter that can leave nothing', 'https://api.acme.example/{{text|gsm7}}'],
    ['a tab in the host', 'https://api.acme.\\texample/v1'],
    ['the end of a line', 'https://api.acme.example\\n/v1'],
    ['a control character', 'https://api.acme.example/\\x01/{{to}}'],
    ['a backslash', 'https://evil.example\\\\.acme.example/v1'],
    ['a space', 'https://api.acme.example/v 1'],
  ])('is refused with a URL with %s', (_what, url) => {
    const text = withOther('https://api.acme.example/v1/messages', `"${url}"`)
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^acme\.yaml:9: request\.url: must /)])
  })

  it('may have a setting in the host that is declared for that', () => {
    const text = withOther('https://api.acme.example/v1/messages', '"https://{{s.from}}.acme.example/v1"')
    expect(faultsOf(text.replace('from: { about', 'from: { host: true, about'))).toEqual([])
  })

  it('is refused when a probe needs a message', () => {
    expect(
      faultsOf(withOther('url: https://api.acme.example/v1/balance', 'url: "https://api.acme.example/{{to}}"')),
    ).toEqual([expect.stringMatching(/^acme\.yaml:37: probe\.url: must have no placeholders but those of settings/)])
  })

  it('keeps a number as it is written, for it may be a code', () => {
    const { file } = readProviderFile(withOther('"50000": down', '0700: down')) as {
      file: { report: { codes: object } }
    }
    expect(Object.keys(file.report.codes)).toContain('0700')
  })
})

describe('a hostile file', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x]',
    ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [*${'abcdefgh'[at]}, *${'abcdefgh'[at]}]`),
  ].join('\n')

  it.each([
    ['of a megabyte', `title: ${'x'.repeat(1_000_000)}`, /^acme\.yaml:1: the file is longer than 64 KB$/],
    [
      'with __proto__',
      withOther('settings:\n', 'settings:\n  __proto__: { secret: true }\n'),
      /^acme\.yaml:4: settings: .* name is not allowed$/,
    ],
    [
      'with constructor',
      withOther('headers: {', 'headers: { constructor: x,'),
      /:10: request\.headers: .* name is not allowed$/,
    ],
    ['with an alias', `${acme}more: &one [1]\nagain: *one\n`, /:\d+: (more|again): must not /],
    ['that is a bomb of aliases', bomb, /^acme\.yaml:\d+: [a-h]/],
    [
      'with a tag',
      withOther('title: Acme SMS', 'title: !!js/function "x"'),
      /^acme\.yaml:2: title: must not have a tag/,
    ],
    ['that is nested deep over its lines', '[\n'.repeat(1490), /^acme\.yaml:25: is nested more than 24 deep$/],
    [
      'that is nested deep behind a quote that is none',
      `a: it's\nb: ${'[\n'.repeat(1490)}`,
      /^acme\.yaml:26: is nested more than 24 deep$/,
    ],
    ['that is nested deep in a line', '{a:'.repeat(1000), /^acme\.yaml:1: is nested more than 24 deep$/],
    ['with a list in a list in a list', '- '.repeat(2900), /^acme\.yaml:1: is nested more than 24 deep$/],
    ['with a name in a name in a name', '? '.repeat(2900), /^acme\.yaml:1: is nested more than 24 deep$/],
    ['with 60,000 brackets', '['.repeat(60_000), /^acme\.yaml:1: the file has too many members$/],
    ['with 2,900 names', 'k:\n'.repeat(2900), /^acme\.yaml:1: the file has too many members$/],
    [
      'with a name twice',
      withOther('title: Acme SMS', 'title: Acme SMS\ntitle: Other'),
      /^acme\.yaml:3: title: is there twice$/,
    ],
    ['that is no YAML', '{{{', /^acme\.yaml:1: /],
    ['that is empty', '', /^acme\.yaml:1: must be a mapping$/],
    [
      'with a pointer that is deep',
      withOther('id: /data/id\n  error', `id: ${'/a'.repeat(40)}\n  error`),
      /:16: answer\.id: must have at most 32 steps$/,
    ],
    [
      'with 250 rules',
      withOther('  rules:\n', `  rules:\n${'    - { when: { status: 1 }, is: sent }\n'.repeat(250)}`),
      /:19: answer\.rules: must have at most 200 rules$/,
    ],
    ['with many members', `a: [${'1,'.repeat(7000)}]`, /^acme\.yaml:1: the file has too many members$/],
    ['with many texts', `a: ${'"" '.repeat(7000)}`, /^acme\.yaml:1: the file has too many members$/],
    [
      'with 10,000 rules',
      withOther('  rules:\n', `  rules:\n${'    - { when: { status: 1 }, is: sent }\n'.repeat(10_000)}`),
      /^acme\.yaml:1: the file is longer than 64 KB$/,
    ],
  ])('%s is refused with its line, and soon', (_what, text, fault) => {
    const startedAt = performance.now()
    const faults = faultsOf(text)
    expect(
      faults.some((one) => fault.test(one)),
      faults.slice(0, 3).join('\n'),
    ).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(({} as { secret?: unknown }).secret).toBeUndefined()
  })

  it('may have as many brackets as it likes in its texts', () => {
    expect(faultsOf(withOther('title: Acme SMS', `title: "${'['.repeat(60)}"`))).toEqual([])
  })

  it('quotes nothing of the file that may be a secret', () => {
    const secret = 'TheSecretOfAnOperator'
    const texts = [
      withOther('secret: true', `secret: ${secret}`),
      withOther('is: down', `is: ${secret}`),
      withOther('Bearer {{s.api_key}}', `Bearer {{${secret}}}`),
      withOther('url-token', secret),
      withOther('title: Acme SMS', `title: "${secret}`),
      withOther('id: /data/id', `id: ${secret}`),
    ]
    for (const text of texts) {
      const faults = faultsOf(text)
      expect(faults).not.toEqual([])
      expect(faults.join('\n')).not.toContain(secret)
    }
  })
})
