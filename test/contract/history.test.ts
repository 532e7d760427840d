/** What is published does not break without a new major version: the rule that `.ci/run` holds the contract to. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

const file = 'openapi.yaml'
const enforce = 'node scripts/diff.ts --enforce'

let checkout: Checkout
let begun: string
beforeAll(async () => {
  checkout = await copyCheckout()
  await setVersion('1.0.0')
  await checkout.commit()
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
    `        locale:\n          type: string\n          description: A language.\n${place}`,
  )
}
const takeBack = () => checkout.write(file, begun)

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

  it('that breaks what clients rely on is refused under the same major version, with its place and the version it needs', async () => {
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
    await checkout.commit()
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
  })

  it('that adds passes, and is rated so', async () => {
    begun = await checkout.read(file)
    await add()
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    const { code, output } = await checkout.run('node scripts/diff.ts HEAD')
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('0 breaking (major), 1 not breaking (1 minor, 0 patch).'),
    ])
    expect(output).toContain('This asks for a new minor version, 2.1.0 or later; info.version is 2.0.0.')
  })

  it('that takes back what was published since the version before is refused', async () => {
    await setVersion('2.1.0')
    await checkout.commit()
    await takeBack()
    await setVersion('2.1.0')
    const { code, output } = await checkout.run(enforce)
    expect(code).toBe(1)
    expect(output).toContain('breaks what clients of version 2.1.0')
  })

  it.each([
    [
      'a scope',
      'x-required-scope: messages:read',
      'x-required-scope: messages:write',
      'getMessage: keys with the scope',
    ],
    ['the size of a body', 'x-max-body-bytes: 16384', 'x-max-body-bytes: 64', 'bodies of more than 64 bytes'],
    [
      'the length of a text',
      'x-max-filled-characters: 4096',
      'x-max-filled-characters: 64',
      'texts of more than 64 characters are refused; x-max-filled-characters was 4096',
    ],
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

  it('that breaks is refused for ever, once it is committed, until the major version is raised', async () => {
    const text = await checkout.read(file)
    await breakNext()
    await setVersion('2.2.0')
    await checkout.commit()
    await setVersion('2.2.1')
    await checkout.commit()
    expect((await checkout.run(enforce)).code).toBe(1)
    await checkout.write(file, text)
    await setVersion('2.2.2')
    expect(await checkout.run(enforce)).toMatchObject({ code: 1 })
    await setVersion('3.0.0')
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
    await checkout.commit()
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

  it('says so where it cannot be told, because the history is not there; in CI that fails', async () => {
    const inCi = { CI: 'true' }
    const elsewhere = { CI: '', GIT_CEILING_DIRECTORIES: checkout.folder }
    expect(await checkout.run(enforce, inCi)).toEqual({ code: 0, output: '' })

    const shallow = 'git clone -q --depth 1 "file://$PWD" shallow && cd shallow'
    const cutOff = await checkout.run(`${shallow} && ${enforce}`, elsewhere)
    expect([cutOff.code, cutOff.output]).toEqual([0, expect.stringMatching(/^SKIPPED: .*shallow/)])
    const refused = await checkout.run(`cd shallow && ${enforce}`, inCi)
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/^FAILED: .*shallow/)])

    await rm(join(checkout.folder, '.git'), { recursive: true })
    await rm(join(checkout.folder, 'shallow'), { recursive: true })
    for (const [begin, what] of [
      ['true', 'not a git repository'],
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
