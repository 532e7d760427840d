/**
 * What is published, which is what has a tag `v*`, does not break without a new major version: the rule that `.ci/run` holds
 * the contract to.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

const file = 'openapi.yaml'
const enforce = 'node scripts/diff.ts --enforce'
const inCi = { CI: 'true' }
const notInCi = { CI: '' }

let checkout: Checkout
let begun: string
beforeAll(async () => {
  checkout = await copyCheckout()
  await setVersion('1.0.0')
  await checkout.commit()
  await tag('v1.0.0')
  begun = await checkout.read(file)
})
afterAll(() => checkout.remove())

async function setVersion(version: string): Promise<void> {
  const text = await checkout.read(file)
  await checkout.write(file, text.replace(/^ {2}version: .*$/m, `  version: ${version}`))
}

/** Codes of seven digits are refused from now on. */
const breakIt = () => checkout.replace(file, 'maximum: 8\n          default: 6', 'maximum: 6\n          default: 6')
/** Brands of thirty letters are refused from now on. */
const breakNext = () => checkout.replace(file, 'maxLength: 30', 'maxLength: 20')
/** A field that a request may have. */
const add = () => {
  const place = '        brand_name:\n          type: string\n'
  return checkout.replace(
    file,
    place,
    `        salutation:\n          type: string\n          description: A language.\n${place}`,
  )
}
const takeBack = () => checkout.write(file, begun)
async function tag(name: string): Promise<void> {
  expect(await checkout.run(`git tag ${name}`)).toEqual({ code: 0, output: '' })
}
async function publish(version: string): Promise<void> {
  await setVersion(version)
  await checkout.commit()
  await tag(`v${version}`)
}

describe('while nothing is published', () => {
  const nothing = 'Nothing is published yet: there is no tag v*. Until there is one, info.version is 1.0.0.\n'
  beforeAll(() => checkout.run('git tag -d v1.0.0'))
  afterEach(() => takeBack())
  afterAll(() => tag('v1.0.0'))

  it('any change passes, and each command says why', async () => {
    expect(await checkout.run('node scripts/diff.ts')).toEqual({ code: 0, output: nothing })
    await breakIt()
    expect(await checkout.run(enforce, inCi)).toEqual({ code: 0, output: nothing })
    const { code, output } = await checkout.run('node scripts/diff.ts HEAD')
    expect([code, output]).toEqual([0, expect.stringMatching(/1 breaking \(major\).*\nNothing is published yet/)])
  })

  it('a tag of something else publishes nothing', async () => {
    await tag('contract-1.0.0')
    await breakIt()
    expect(await checkout.run(enforce, inCi)).toEqual({ code: 0, output: nothing })
  })

  it('another version than the first is taken for a clone without its tags', async () => {
    await setVersion('1.1.0')
    const told = /there is no tag v\*, and info\.version is 1\.1\.0; until the first tag, it is 1\.0\.0/
    const failed = await checkout.run(enforce, inCi)
    expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(told)])
    const skipped = await checkout.run(enforce, notInCi)
    expect([skipped.code, skipped.output]).toEqual([0, expect.stringMatching(told)])
    expect(await checkout.run('node scripts/diff.ts')).toMatchObject({ code: 1 })
  })
})

const channelField = '        channel:\n          $ref: "#/components/schemas/ConnectionId"\n'

/** The first place in a text. */
function replacing(before: string, after: string): (text: string) => string {
  return (text) => text.replace(before, after)
}

/** Everything that the contract has of one type of event: each block of lines. */
function withEachPlaceOf(type: string, change: (place: string) => string): (text: string) => string {
  const schema = type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const places = [
    `^ {2}${type}:\\n(?: {4}.*\\n)+`,
    `^ {4}${schema}Event:\\n(?: {6}.*\\n)+`,
    `^ {8,10}\\S.*/${schema}Event"\\n`,
  ]
  return (text) => text.replaceAll(new RegExp(places.join('|'), 'gm'), change)
}

describe('a change of the contract', () => {
  it('is nothing to speak of when there is none', async () => {
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
  })

  it.each([
    ['takes an event away', withEachPlaceOf('message.read', () => ''), 'Webhook `message.read` was removed'],
    [
      'gives an event another type',
      (text: string) => text.replaceAll('message.read', 'message.opened'),
      "Enum of `type` gained values: 'message.opened'",
    ],
    ['takes a field out of an event', replacing(channelField, ''), 'Property `channel` of `data` was removed'],
    [
      'leaves a field of an event out at times',
      replacing('        - mode\n        - error\n', '        - mode\n'),
      'are no longer required: `error`',
    ],
    [
      'leaves out a header of events',
      replacing('      name: webhook-id\n', '      name: webhook-identity\n'),
      'message.read comes without the header webhook-id',
    ],
    [
      'opens an operation to everybody',
      replacing(
        '      x-required-scope: messages:read\n',
        '      x-required-scope: messages:read\n      security: []\n',
      ),
      'listMessages needs no key any more',
    ],
    [
      'opens every operation to everybody',
      replacing('security:\n  - bearerAuth: []\n', 'security:\n  - bearerAuth: []\n  - {}\n'),
      'sendVerification needs no key any more',
    ],
    [
      'gives a text another rule of the service',
      (text: string) => text.replace(/^( *x-ecma-pattern: ).*\n/m, '$1^[A-Z]*$$\n'),
      '`x-ecma-pattern` of `brand_name` was',
    ],
    ['makes events larger', replacing('x-max-event-bytes: 4096', 'x-max-event-bytes: 8192'), 'may have 8192 bytes'],
  ])('that %s is refused', async (_what, change, told) => {
    await checkout.write(file, change(begun))
    const { code, output } = await checkout.run(enforce)
    expect([code, output]).toEqual([1, expect.stringContaining(told)])
    await takeBack()
  })

  it.each([
    [
      'an event',
      withEachPlaceOf('message.read', (place) => place + place.replaceAll(/(message\.?)read/gi, '$1opened')),
      'message.opened (webhook)\n  ✔ minor  added',
    ],
    [
      'a field to an event',
      replacing(channelField, `        note:\n          type: string\n          description: A note.\n${channelField}`),
      'minor  added     schemas/WebhookEvent',
    ],
  ])('that adds %s passes, and is rated so', async (_what, change, told) => {
    await checkout.write(file, change(begun))
    const { code, output } = await checkout.run(`${enforce} && node scripts/diff.ts HEAD`)
    expect([code, output]).toEqual([0, expect.stringContaining(told)])
    expect(output).toContain('This asks for a new minor version')
    await takeBack()
  })

  it.each([
    [
      'gives a field another default',
      replacing('maximum: 8\n          default: 6', 'maximum: 8\n          default: 8'),
      "The default of `length` was '6', and is '8'",
    ],
    [
      'gives a tag another name',
      (text: string) => text.replaceAll(/(name:|-) Messages$/gm, '$1 Texts'),
      "The tag was 'Messages', and is 'Texts'",
    ],
    [
      'gives an operation another tag',
      replacing('        - Messages\n', '        - Verification\n'),
      "The operation's tag was 'Messages', and is 'Verification'",
    ],
    [
      'gives a parameter of a path another name',
      (text: string) =>
        text.replace('/v1/messages/{id}', '/v1/messages/{message_id}').replace('- name: id\n', '- name: message_id\n'),
      "The path parameter was 'id', and is 'message_id'",
    ],
    [
      'lets a text be longer',
      replacing('maxLength: 30', 'maxLength: 40'),
      "`maxLength` of `brand_name` was '30', and is '40'",
    ],
    [
      'lets a number be smaller',
      replacing('minimum: 4\n', 'minimum: 3\n'),
      "`minimum` of `length` was '4', and is '3'",
    ],
    ['takes a pattern away', replacing('          pattern: ^[0-9]{4,8}$\n', ''), '`pattern` of `code` was'],
    [
      'lets a field be left out',
      replacing('        - phone\n        - template\n', '        - phone\n'),
      "`required` of `SendNotificationRequest` lost 'template'",
    ],
    [
      'lets requests have any field',
      replacing('      additionalProperties: false\n', ''),
      '`additionalProperties` of `SendVerificationRequest` was',
    ],
    [
      'lets bodies be larger',
      replacing('x-max-body-bytes: 16384', 'x-max-body-bytes: 32768'),
      'bodies may have 32768 bytes',
    ],
    [
      'lets texts be longer',
      replacing('x-max-filled-characters: 4096', 'x-max-filled-characters: 8192'),
      'texts may have 8192 characters',
    ],
  ])('that %s is minor, and says what it means', async (_what, change, told) => {
    await checkout.write(file, change(begun))
    const { code, output } = await checkout.run('node scripts/diff.ts HEAD')
    expect([code, output]).toEqual([0, expect.stringContaining(told)])
    expect(output).toContain('This asks for a new minor version')
    await takeBack()
  })

  it('refuses a breaking change under the same major version, and names the version it needs', async () => {
    await breakIt()
    const { code, output } = await checkout.run(enforce)
    expect(code).toBe(1)
    expect(output).toMatch(/major .*length · maximum\n.*\n.*openapi\.yaml:\d+/)
    expect(output).toContain('and info.version is 1.0.0. Raise it to 2.0.0, or take the change back.')
  })

  it('that breaks is refused with a new minor version too, though both come in one commit', async () => {
    await setVersion('1.1.0')
    expect((await checkout.run(enforce)).code).toBe(1)
    await checkout.commit()
    expect((await checkout.run(enforce)).code).toBe(1)
  })

  it('that breaks passes with a new major version', async () => {
    await setVersion('2.0.0')
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    await publish('2.0.0')
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
  })

  it('that adds passes, and is rated so', async () => {
    begun = await checkout.read(file)
    await add()
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    const { code, output } = await checkout.run('node scripts/diff.ts')
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('since v2.0.0 (version 2.0.0): 0 breaking (major), 1 not breaking (1 minor, 0 patch).'),
    ])
    expect(output).toContain('This asks for a new minor version, 2.1.0 or later; info.version is 2.0.0.')
  })

  it('taking back what was only committed passes; taking back what was published is refused', async () => {
    const added = await checkout.read(file)
    await checkout.commit()
    await takeBack()
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    await checkout.write(file, added)
    await publish('2.1.0')
    begun = await checkout.read(file)
    await checkout.write(file, begun.replace(/ {8}salutation:\n.*\n.*\n/, ''))
    const { code, output } = await checkout.run(enforce)
    expect(code).toBe(1)
    expect(output).toContain('breaks what clients of version 2.1.0 (v2.1.0) rely on')
    await takeBack()
  })

  it.each([
    [
      'a scope',
      'x-required-scope: notifications:write',
      'x-required-scope: notifications:read',
      'sendNotification: keys with the scope',
    ],
    [
      'the scope of a field',
      'x-required-scope: verify:custom_code',
      'x-required-scope: verify:own_code',
      'SendVerificationRequest/code: keys without the scope verify:own_code are refused now',
    ],
    [
      'what a field excludes',
      '          x-excludes:\n            - length\n',
      '          x-excludes:\n            - length\n            - locale\n',
      'SendVerificationRequest/code is refused beside locale now',
    ],
    ['the size of a body', 'x-max-body-bytes: 16384', 'x-max-body-bytes: 64', 'bodies of more than 64 bytes'],
    [
      'the length of a text',
      'x-max-filled-characters: 4096',
      'x-max-filled-characters: 64',
      'texts of more than 64 characters are refused; x-max-filled-characters was 4096',
    ],
    ['the list of codes', '        route_not_found: 404\n', '', 'route_not_found is no error code any more'],
    ['the status of a code', '        rate_limited: 429', '        rate_limited: 503', 'rate_limited is answered 503'],
  ])('of %s, which breaks clients too, is refused', async (_what, before, after, told) => {
    const text = await checkout.read(file)
    await checkout.replace(file, before, after)
    const { code, output } = await checkout.run(enforce)
    expect([code, output]).toEqual([1, expect.stringContaining(told)])
    await checkout.write(file, text)
  })

  it.each(['1.9.0', '0.9.0', 'latest', '2026-01-01'])('does not pass with the version %s', async (version) => {
    const text = await checkout.read(file)
    await breakNext()
    await setVersion(version)
    expect((await checkout.run(enforce)).code).toBe(1)
    await checkout.write(file, text)
  })

  it('that breaks is refused however often it is committed, until the major version is raised', async () => {
    await breakNext()
    await setVersion('2.2.0')
    await checkout.commit()
    await setVersion('2.2.1')
    await checkout.commit()
    expect((await checkout.run(enforce)).code).toBe(1)
    await setVersion('3.0.0')
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    await checkout.commit()
  })

  it('on a branch that is older than a version is not held to that version', async () => {
    const onBranch = await checkout.run(`git checkout -q -b older v1.0.0 && ${enforce}; git checkout -q -`, inCi)
    expect(onBranch).toEqual({ code: 0, output: '' })
  })

  it('is told from any revision, and from none that git does not know', async () => {
    const { code, output } = await checkout.run('node scripts/diff.ts $(git rev-list --max-parents=0 HEAD)')
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/[1-9] breaking.*\nThis asks for a new major version, 2.0.0/),
    ])
    expect(await checkout.run('node scripts/diff.ts nothing')).toEqual({
      code: 1,
      output: 'git knows no revision "nothing"\n',
    })
  })

  it.each([
    ['a shallow one', '--depth 1', 'git fetch -q --unshallow --tags'],
    ['one without tags', '--no-tags', 'git fetch -q --tags'],
  ])(
    'cannot be told in a clone that is %s: that is said, and fails in CI, until they are fetched',
    async (what, option, remedy) => {
      const clone = `rm -rf clone && git clone -q ${option} "file://$PWD" clone`
      const skipped = await checkout.run(`${clone} && cd clone && ${enforce}`, notInCi)
      expect([skipped.code, skipped.output]).toEqual([0, expect.stringMatching(`^SKIPPED: .*this clone is ${what}`)])
      const failed = await checkout.run(`cd clone && ${enforce}`, inCi)
      expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(`^FAILED: .*this clone is ${what}`)])
      expect(await checkout.run(`cd clone && ${remedy} && ${enforce}`, inCi)).toEqual({ code: 0, output: '' })
    },
  )

  it('cannot be told without the history, or with tags of other commits; in CI that fails', async () => {
    const elsewhere = { ...notInCi, GIT_CEILING_DIRECTORIES: checkout.folder }
    const orphan = 'git checkout -q --orphan other && git -c user.name=x -c user.email=x@localhost commit -qm x'
    await rm(join(checkout.folder, 'clone'), { recursive: true })
    for (const [begin, what] of [
      [orphan, 'the tags v\\* are not in the history of this commit'],
      ['rm -rf .git', 'not a git repository'],
      ['git init -q', 'does not have any commits'],
      [
        'git -c user.name=tester -c user.email=tester@localhost commit -qm x --allow-empty',
        'no commit has openapi.yaml',
      ],
    ]) {
      const skipped = await checkout.run(`${begin} && ${enforce}`, elsewhere)
      expect([skipped.code, skipped.output]).toEqual([0, expect.stringMatching(`^SKIPPED: .*${what}`)])
      const failed = await checkout.run(enforce, { ...elsewhere, ...inCi })
      expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(`^FAILED: .*${what}`)])
    }
  })
})
