/** What `npm run contract:add` refuses, and contracts that are written in other ways; `test/docs/guide.test.ts` has what it makes. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'

// Each is a run of tools on the whole of a checkout.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let checkout: Checkout
beforeAll(async () => {
  checkout = await copyCheckout()
  await checkout.commit()
})
afterEach(() => checkout.run('git checkout -q . && git clean -fdq'))
afterAll(() => checkout?.remove())

const add = (operationId: string) => checkout.run(`npm run --silent contract:add -- operation ${operationId}`)
const changed = async () => (await checkout.run('git status --porcelain')).output

describe('an operation is refused, and nothing is written', () => {
  it.each<[operationId: string, said: string]>([
    ['ListThings', 'ListThings is not a name in camelCase, like listThings.'],
    ['list-things', 'list-things is not a name in camelCase, like listThings.'],
    ['list', 'list does not say of what: listThings does.'],
    ['listThing', 'list is of many: listThings, not listThing.'],
    ['getThings', 'get is of one: getThing, not getThings.'],
    ['lisThings', 'Did you mean listThings?'],
    ['archiveThing', 'createThing: POST /v1/things/create, which makes one'],
    ['listMessages', 'openapi.yaml has the operation listMessages already.'],
  ])('as %s', async (operationId, said) => {
    const { code, output } = await add(operationId)
    expect(code).toBe(1)
    expect(output).toContain(said)
    expect(output).toContain('Nothing was written.')
    expect(await changed()).toBe('')
  })

  it('where a file of its name is there', async () => {
    const path = 'src/http/api/operations/listThings.ts'
    await checkout.write(path, 'export {}\n')
    expect(await add('listThings')).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${path} is there already.`),
    })
    expect(await changed()).toBe(`?? ${path}\n`)
    expect(await checkout.read(path)).toBe('export {}\n')
  })

  it('where the line is gone that its own belongs beside', async () => {
    await checkout.replace('src/http/api/operations/index.ts', '} satisfies Handlers', '} satisfies  Handlers')
    const { code, output } = await add('listThings')
    expect(code).toBe(1)
    expect(output).toContain('src/http/api/operations/index.ts has no line "} satisfies Handlers"')
    expect(await changed()).toBe(' M src/http/api/operations/index.ts\n')
  })

  it('where a schema of its noun is there that is another one', async () => {
    await checkout.replace(
      'openapi.yaml',
      '    ListMessagesReply:\n',
      '    Thing:\n      type: string\n    ListMessagesReply:\n',
    )
    const { code, output } = await add('getThing')
    expect(code).toBe(1)
    expect(output).toContain('openapi.yaml has other schemas of these names already: Thing.')
    expect(await changed()).toBe(' M openapi.yaml\n')
  })

  it('where the contract breaks its rules, with the line', async () => {
    await checkout.replace(
      'openapi.yaml',
      'operationId: getMessage\n      tags',
      'operationId: get_message\n      tags',
    )
    const { code, output } = await add('listThings')
    expect(code).toBe(1)
    expect(output).toContain('Correct this first:\nopenapi.yaml:')
    expect(output).toMatch(/openapi\.yaml:\d+:\d+ an operationId must be a name in camelCase/)
    expect(await changed()).toBe(' M openapi.yaml\n')
  })
})

describe('an operation is added', () => {
  const keepsTheRules = async () => {
    expect(await checkout.run('npm run --silent contract:lint')).toMatchObject({ code: 0 })
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
  }

  it('of a noun of two words, with names as the others have them', async () => {
    expect(await add('listBlockedPhones')).toMatchObject({ code: 0 })
    const contract = await checkout.read('openapi.yaml')
    expect(contract).toContain('  - name: Blocked phones\n')
    expect(contract).toContain('  /v1/blocked-phones:\n    get:\n      operationId: listBlockedPhones\n')
    expect(contract).toContain('        blocked_phones:read: Read and list blocked phones.\n')
    await keepsTheRules()
  })

  it('where a path is in a file of its own', async () => {
    const contract = await checkout.read('openapi.yaml')
    const [item = ''] = /^ {2}\/v1\/verify\/cancel:\n(?: {3,}.*\n|\n)*/m.exec(contract) ?? []
    const own = item
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ {4}/, ''))
      .join('\n')
    await checkout.run('mkdir spec')
    await checkout.write('spec/cancel.yaml', own.replaceAll('"#/components', '"../openapi.yaml#/components'))
    await checkout.write('openapi.yaml', contract.replace(item, '  /v1/verify/cancel:\n    $ref: "spec/cancel.yaml"\n'))
    // Of a noun that has a tag and paths already.
    expect(await add('listNotifications')).toMatchObject({ code: 0 })
    const added = await checkout.read('openapi.yaml')
    const after = added.slice(added.indexOf('\n      operationId: previewNotification\n'))
    expect(after.match(/^ {2}\/.*:$/m)?.[0]).toBe('  /v1/notifications:')
    expect(added.match(/^ {2}- name: Notifications$/gm)).toHaveLength(1)
    await keepsTheRules()
  })

  it('where the contract was split, once it is put together as the refusal says, and split again', async () => {
    const split = 'npx redocly split openapi.yaml --outDir .'
    await checkout.run('redocly split openapi.yaml --outDir spec && rm openapi.yaml && mv spec/* . && rmdir spec')
    const { code, output } = await add('listThings')
    expect(code).toBe(1)
    expect(output).toContain(split)
    const [together = '', , again = ''] = Array.from(output.matchAll(/^ {2}(np.*)$/gm), ([, line]) => line!)
    expect(again).toBe(split)
    expect(await checkout.run(together)).toMatchObject({ code: 0 })
    expect(await add('listThings')).toMatchObject({ code: 0 })
    expect(await checkout.run(again)).toMatchObject({ code: 0 })
    await keepsTheRules()
  })
})
