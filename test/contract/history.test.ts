/**
 * What is published, which is what `contract/published` has, does not break without a new major version: the rule that
 * `.ci/run` holds the contract to.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import {
  breaks,
  breaksOfOwnFacts,
  type Change,
  channelField,
  minorChanges,
  replacing,
  withEachPlaceOf,
} from './changes.ts'

const file = 'openapi.yaml'
const enforce = 'node scripts/diff.ts --enforce'
const inCi = { CI: 'true' }

let checkout: Checkout
let begun: string
beforeAll(async () => {
  checkout = await copyCheckout()
  await publish('1.0.0')
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
async function publish(version: string): Promise<void> {
  await setVersion(version)
  const folder = `contract/published/${version}`
  expect(await checkout.run(`mkdir -p ${folder} && cp ${file} ${folder}/`)).toEqual({ code: 0, output: '' })
  await checkout.commit()
}

describe('while nothing is published', () => {
  const nothing = 'Nothing is published yet: contract/published has no version of openapi.yaml.\n'
  beforeAll(() => checkout.run('mv contract kept'))
  afterEach(() => takeBack())
  afterAll(() => checkout.run('mv kept contract'))

  it('any change passes, and each command says why', async () => {
    expect(await checkout.run('node scripts/diff.ts')).toEqual({ code: 0, output: nothing })
    await breakIt()
    expect(await checkout.run(enforce, inCi)).toEqual({ code: 0, output: nothing })
    const { code, output } = await checkout.run('node scripts/diff.ts HEAD')
    expect([code, output]).toEqual([0, expect.stringMatching(/1 breaking \(major\).*\nNothing is published yet/)])
  })

  it('a tag alone publishes nothing', async () => {
    await checkout.run('git tag v9.0.0')
    await breakIt()
    expect(await checkout.run(enforce, inCi)).toEqual({ code: 0, output: nothing })
  })
})

/** What is said of each change, when all of them are made at once: a run takes seconds. */
function describeChanges(changes: Change[], command: string) {
  const said = { code: -1, output: '' }
  beforeAll(async () => {
    const before = await checkout.read(file)
    await checkout.write(
      file,
      changes.reduce((text, [, change]) => change(text), before),
    )
    Object.assign(said, await checkout.run(command))
    await checkout.write(file, before)
  })
  return {
    said,
    /** The ratings of the places of which that is said. */
    ratingsOf: (told: string) =>
      said.output.split(/^ {2}(?=\S (?:major|minor|patch) )/m).flatMap((place) => {
        const [, rating] = /^\S (\w+) /.exec(place) ?? []
        return place.includes(told) && rating ? [rating] : []
      }),
  }
}

describe('a change of the contract', () => {
  it('is nothing to speak of when there is none', async () => {
    expect(await checkout.run(enforce)).toEqual({ code: 0, output: '' })
  })

  describe('to a contract that is published', () => {
    const { said, ratingsOf } = describeChanges(breaks, enforce)

    it.each(breaks)('that %s is refused', (_what, _change, told) => {
      expect([said.code, ratingsOf(told)]).toEqual([1, ['major']])
    })
  })

  it('that opens every operation to everybody is refused', async () => {
    await checkout.replace(file, 'security:\n  - bearerAuth: []\n', 'security:\n  - bearerAuth: []\n  - {}\n')
    const { code, output } = await checkout.run(enforce)
    expect([code, output]).toEqual([1, expect.stringContaining('sendVerification needs no key any more')])
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

  describe('that breaks nobody', () => {
    const { said, ratingsOf } = describeChanges(minorChanges, 'node scripts/diff.ts HEAD')

    it.each(minorChanges)('that %s is minor, and says what it means', (_what, _change, told) => {
      expect([said.code, ratingsOf(told)]).toEqual([0, ['minor']])
      expect(said.output).toContain('This asks for a new minor version')
    })
  })

  it('refuses a breaking change under the same major version, and names the version it needs', async () => {
    await breakIt()
    const { code, output } = await checkout.run(enforce)
    expect(code).toBe(1)
    expect(output).toMatch(/major .*length · maximum\n.*\n.*openapi\.yaml:\d+/)
    expect(output).toContain('and info.version is 1.0.0. Raise it to 2.0.0, or take the change back.')
  })

  it('that breaks is named alone, without those beside it that do not', async () => {
    await add()
    expect((await checkout.run('node scripts/diff.ts')).output).toContain('salutation')
    const { code, output } = await checkout.run(enforce)
    expect([code, output]).toEqual([1, expect.stringContaining('/length · maximum\n')])
    expect(output).not.toMatch(/salutation|minor|patch/)
    await takeBack()
    await breakIt()
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
      expect.stringContaining('since version 2.0.0: 0 breaking (major), 1 not breaking (1 minor, 0 patch).'),
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
    expect(output).toContain('breaks what clients of version 2.1.0 rely on')
    await takeBack()
  })

  describe('of facts of our own', () => {
    const { said, ratingsOf } = describeChanges(breaksOfOwnFacts, enforce)

    it.each(breaksOfOwnFacts)('of %s, which breaks clients too, is refused', (_what, _change, told) => {
      expect([said.code, ratingsOf(told)]).toEqual([1, ['major']])
    })
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
    const onBranch = await checkout.run(
      `git checkout -q -b older $(git rev-list --max-parents=0 HEAD) && ${enforce}; git checkout -q -`,
      inCi,
    )
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

  it('is told in a shallow clone without tags too, and in an archive that has no history', async () => {
    const clone = 'rm -rf clone && git clone -q --depth 1 --no-tags "file://$PWD" clone && cd clone'
    expect(await checkout.run(`${clone} && ${enforce}`, inCi)).toEqual({ code: 0, output: '' })
    await setVersion('2.2.0')
    const { code, output } = await checkout.run(`rm -rf .git && ${enforce}`, inCi)
    expect([code, output]).toEqual([1, expect.stringContaining('breaks what clients of version 2.1.0 rely on')])
  })
})
