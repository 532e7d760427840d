/**
 * The guides to adding an operation or an event, in `docs/designers/`. What they show is the real code of two operations and
 * of an event: in a copy of the checkout that is taken out, and the guide followed word by word, until the copy is what it was.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { bashBlocksOf, pageOf } from '../support/docs.ts'
import { startMock } from '../support/mock.ts'

// Each step is a run of tools on the whole of a checkout.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

interface Step {
  file: string
  /** Undefined: the file is a new one. */
  place: string | undefined
  line: string
  text: string
}

/** "In `file`, before `line`:" (or after it, or in its place) or "Make `file`:", and what to write there. */
function parseSteps(guide: string): Step[] {
  const form = /^(?:In|Make) `([^`]+)`(?:, (before|after|in place of) `([^`]+)`)?:\n\n```\w+\n(.*?)\n```$/gms
  return Array.from(guide.matchAll(form), ([, file, place, line, text]) => ({
    file: file!,
    place,
    line: line!,
    text: `${text}\n`,
  }))
}

const [operationGuide, queryGuide, eventGuide] = ['operation', 'query', 'event'].map((name) =>
  pageOf(`docs/designers/${name}.md`),
)

const guides = [
  {
    operationId: 'cancelVerification',
    guide: operationGuide!,
    path: '/v1/verify/cancel',
    ask: (url: string) =>
      fetch(`${url}/v1/verify/cancel`, {
        method: 'POST',
        headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
        body: '{"request_id":"req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6"}',
      }),
    answer: { success: true, data: { cancelled: true } },
  },
  {
    operationId: 'listMessages',
    guide: queryGuide!,
    path: '/v1/messages',
    ask: (url: string) => fetch(`${url}/v1/messages?limit=1`, { headers: { Authorization: 'Bearer any' } }),
    answer: { success: true, data: { messages: [{ status: 'delivered' }] } },
  },
]
/** What the first guide begins with, and what it has its reader run after the contract: the second says "as above". */
const [toBegin = '', afterContract = ''] = bashBlocksOf(operationGuide!)

describe('who begins with what the guide begins with', () => {
  let checkout: Checkout
  beforeAll(async () => {
    checkout = await copyCheckout()
    await checkout.commit()
    for (const operationId of ['createThing', 'getThing', 'listThings']) {
      const { code, output } = await checkout.run(toBegin.replace('listThings', operationId))
      expect(code, output).toBe(0)
    }
  })
  afterAll(() => checkout.remove())

  it('has a contract that keeps the rules, and is asked for a new minor version', async () => {
    expect(toBegin).toContain('listThings')
    const { code, output } = await checkout.run(
      'set -e; npm run --silent contract:lint; npm run --silent contract:diff -- HEAD',
    )
    expect(code, output).toBe(0)
    expect(output).toContain('0 breaking (major)')
    expect(await checkout.run("git diff --numstat openapi.yaml | grep -P '\t0\t'")).toMatchObject({ code: 0 })
  })

  it('has what is generated, types that fit, and the style of the rest', async () => {
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
    expect(await checkout.run('node node_modules/typescript-7/bin/tsc')).toEqual({ code: 0, output: '' })
    const { code, output } = await checkout.run('biome check --error-on-warnings src scripts test/flows test/contract')
    expect(code, output).toBe(0)
  })

  it('has it answered by the mock', async () => {
    const mock = await startMock(checkout.folder)
    try {
      const headers = { Authorization: 'Bearer any' }
      const thing = { name: 'First' }
      const page = await fetch(`${mock.url}/v1/things`, { headers })
      expect(await page.json()).toMatchObject({ success: true, data: { things: [thing], next: null } })
      const found = await fetch(`${mock.url}/v1/things/thing_1`, { headers })
      expect(await found.json()).toMatchObject({ success: true, data: thing })
    } finally {
      mock.stop()
    }
  })

  it('has every answer replayed, and tests that pass', async () => {
    const tests = ['createThing', 'getThing', 'listThings'].map((operationId) => `test/flows/${operationId}.test.ts`)
    const { code, output } = await checkout.run(
      `vitest run --reporter verbose --hookTimeout 600000 test/contract/replay.test.ts ${tests.join(' ')}`,
    )
    expect(code, output).toBe(0)
    for (const name of [
      'createThing 409 idempotency_in_progress',
      'getThing 404 thing_not_found',
      'listThings 200 end',
    ])
      expect(output).toContain(name)
  })
})

describe.each(guides)('who adds an operation like $operationId', ({ operationId, guide, path, ask, answer }) => {
  const steps = parseSteps(guide)
  const contractSteps = steps.filter(({ file }) => file === 'openapi.yaml')
  const codeSteps = steps.filter((step) => !contractSteps.includes(step))

  let checkout: Checkout
  beforeAll(async () => {
    checkout = await copyWithout(steps)
  })
  afterAll(() => checkout.remove())

  it('is told every place by the guide', () => {
    expect(steps).toHaveLength(guide.match(/^(In|Make) `.*`:$/gm)!.length)
    const isTest = (file: string) => /^(test|scripts\/conformance)\//.test(file)
    const places = new Set(steps.flatMap(({ file }) => (isTest(file) ? [] : file)))
    expect(places.size, 'files to change, outside of tests').toBeLessThanOrEqual(5)
  })

  it('begins without it, and with committed files that are made of the contract', async () => {
    expect(await checkout.read('openapi.yaml')).not.toContain(operationId)
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
  })

  it('describes it, and is told that what is generated is stale', async () => {
    for (const step of contractSteps) await follow(checkout, step)
    const { code, output } = await checkout.run('node scripts/generate.ts --check')
    expect(code).toBe(1)
    expect(output).toContain('generated/types.ts')
    expect(output).toContain('npm run generate')
  })

  it('has it answered by the mock at once, though nothing is generated yet', async () => {
    const mock = await startMock(checkout.folder)
    try {
      expect(await (await ask(mock.url)).json()).toMatchObject(answer)
      expect(await (await fetch(`${mock.url}/openapi.json`)).text()).toContain(`"${path}"`)
    } finally {
      mock.stop()
    }
  })

  it('keeps the rules of the contract, and is asked for a new minor version', async () => {
    const { code, output } = await checkout.run(`set -e; ${afterContract}`)
    expect(code, output).toBe(0)
    expect(output).toContain('0 breaking (major)')
    expect(output).toContain('This asks for a new minor version')
  })

  it('has the compiler name the missing handler and the missing scenarios, and nothing else', async () => {
    const { code, output } = await checkout.run('node node_modules/typescript-7/bin/tsc')
    expect(code).not.toBe(0)
    expect(output).toContain(`Property '${operationId}' is missing`)
    const places = Array.from(output.matchAll(/^(\S+?)\(.*error TS/gm), ([, file]) => file!)
    // The other wire cancels by the same rule: its operation is there already.
    const own = places.filter((file) => !file.startsWith('src/http/twilio/'))
    expect(new Set(own)).toEqual(new Set(['src/http/api/operations/index.ts', 'test/contract/scenarios.ts']))
  })

  it('writes what the guide has, and that is the operation which all other tests are about', async () => {
    for (const step of codeSteps) await follow(checkout, step)
    expect(await checkout.run('node scripts/generate.ts')).toMatchObject({ code: 0 })
    expect(await checkout.run('git add -A && git diff --cached finished')).toEqual({ code: 0, output: '' })
  })
})

describe('who adds an event like message.read', () => {
  const guide = eventGuide!
  const steps = parseSteps(guide)
  const contractSteps = steps.filter(({ file }) => file === 'openapi.yaml')
  const codeSteps = steps.filter((step) => !contractSteps.includes(step))
  const [toGenerate = ''] = bashBlocksOf(guide)

  let checkout: Checkout
  beforeAll(async () => {
    checkout = await copyWithout(steps)
  })
  afterAll(() => checkout.remove())

  it('is told every place by the guide, which goes on to where the event is raised', async () => {
    expect(steps).toHaveLength(guide.match(/^(In|Make) `.*`:$/gm)!.length)
    expect(codeSteps.map(({ file }) => file)).toEqual(['src/domain/webhooks/event.ts'])
    for (const file of ['openapi.yaml', 'generated/types.ts', 'src/domain/webhooks/event.ts'])
      expect(await checkout.read(file)).not.toContain('message.read')
  })

  it('keeps the rules of the contract, and is asked for a new minor version', async () => {
    for (const step of contractSteps) await follow(checkout, step)
    const { code, output } = await checkout.run(`set -e; ${toGenerate}`)
    expect(code, output).toBe(0)
    expect(output).toContain('0 breaking (major)')
    expect(output).toContain('This asks for a new minor version')
    expect(await checkout.read('docs/events.md')).toContain('| `message.read` |')
  })

  it('has the compiler name the place where it has to be raised, and nothing else', async () => {
    // The tests have events of this type already.
    await checkout.write('tsconfig.src.json', '{ "extends": "./tsconfig.json", "include": ["src"] }')
    const { output } = await checkout.run('tsc -p tsconfig.src.json; rm tsconfig.src.json')
    expect(output).toContain(`Property '"message.read"' is missing`)
    const places = Array.from(output.matchAll(/^(\S+?)\(.*error TS/gm), ([, file]) => file)
    expect(places).toEqual(['src/domain/webhooks/event.ts'])
  })

  it('writes what the guide has, and that is the event which all other tests are about', async () => {
    for (const step of codeSteps) await follow(checkout, step)
    expect(await checkout.run('git add -A && git diff --cached finished')).toEqual({ code: 0, output: '' })
  })
})

/** A copy of the checkout, published as it was before these steps; with them, it is tagged `finished`. */
async function copyWithout(steps: Step[]): Promise<Checkout> {
  const checkout = await copyCheckout()
  await checkout.commit()
  await checkout.run('git tag finished')
  for (const step of steps.toReversed()) await takeOut(checkout, step)
  await checkout.run('node scripts/generate.ts')
  await checkout.commit()
  await checkout.run('mkdir -p contract/published/1.0.0 && cp openapi.yaml contract/published/1.0.0/')
  await checkout.run('echo contract/ >> .git/info/exclude')
  return checkout
}

async function follow(checkout: Checkout, { file, place, line, text }: Step): Promise<void> {
  if (!place) return checkout.write(file, text)
  await checkout.replace(file, `\n${line}\n`, `\n${withText({ place, line, text })}`)
}

async function takeOut(checkout: Checkout, { file, place, line, text }: Step): Promise<void> {
  expect(await checkout.read(file), `${file} is as the guide has it`).toContain(
    place ? withText({ place, line, text }) : text,
  )
  if (!place) await checkout.run(`rm ${file}`)
  else await checkout.replace(file, `\n${withText({ place, line, text })}`, `\n${line}\n`)
}

function withText({ place, line, text }: Pick<Step, 'line' | 'text'> & { place: string }): string {
  return [place === 'after' ? `${line}\n` : '', text, place === 'before' ? `${line}\n` : ''].join('')
}
