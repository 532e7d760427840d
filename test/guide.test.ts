/** The guide to adding an operation, in `docs/designers.md`, followed word by word in a copy of the checkout. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Checkout, copyCheckout } from './support/checkout.ts'
import { bashBlocksOf, sectionOf } from './support/docs.ts'
import { startMock } from './support/mock.ts'

const guide = sectionOf('docs/designers.md', 'Adding an operation')

/** "In `file`, before `line`:" (or after it, or in its place) or "Make `file`:", and what to write there. */
const steps = Array.from(
  guide.matchAll(/^(?:In|Make) `([^`]+)`(?:, (before|after|in place of) `([^`]+)`)?:\n\n```\w+\n(.*?)\n```$/gms),
  ([, file, place, line, text]) => ({ file: file!, place, line: line!, text: `${text}\n` }),
)
const [contractStep, ...codeSteps] = steps
/** What the guide has its reader run: after the contract, and at the end. */
const [afterContract = '', atTheEnd = ''] = bashBlocksOf(guide)

// Each step is a run of tools on the whole of a checkout.
vi.setConfig({ testTimeout: 120_000 })

let checkout: Checkout
beforeAll(async () => {
  checkout = await copyCheckout()
  await checkout.commit()
  await checkout.run('git tag v1.0.0')
})
afterAll(() => checkout.remove())

async function follow({ file, place, line, text }: (typeof steps)[number]): Promise<void> {
  if (!place) return checkout.write(file, text)
  const [above, below] = [place === 'after' ? `${line}\n` : '', place === 'before' ? `${line}\n` : '']
  await checkout.replace(file, `\n${line}\n`, `\n${above}${text}${below}`)
}

describe('who adds an operation', () => {
  it('is told every place by the guide', () => {
    const asked = guide.match(/^(In|Make) `.*`:$/gm)
    expect(steps).toHaveLength(asked!.length)
    expect(contractStep?.file).toBe('openapi.yaml')
    const places = new Set(steps.flatMap(({ file }) => (file.startsWith('test/') ? [] : file)))
    expect(places.size, 'files to change, outside of tests').toBeLessThanOrEqual(5)
  })

  it('has committed files that are made of the contract', async () => {
    expect(await checkout.run('node scripts/generate.ts --check')).toEqual({ code: 0, output: '' })
  })

  it('describes it, and is told that what is generated is stale', async () => {
    await follow(contractStep!)
    const { code, output } = await checkout.run('node scripts/generate.ts --check')
    expect(code).toBe(1)
    expect(output).toContain('generated/types.ts')
    expect(output).toContain('npm run generate')
  })

  it('has it answered by the mock at once, though nothing is generated yet', async () => {
    const mock = await startMock(checkout.folder)
    try {
      const response = await fetch(`${mock.url}/v1/verify/cancel`, {
        method: 'POST',
        headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
        body: '{"request_id":"req_01KAJ0R6W8Z3T5V7X9Y1B2C4D6"}',
      })
      expect(await response.json()).toMatchObject({ success: true, data: { cancelled: true } })
      expect(await (await fetch(`${mock.url}/openapi.json`)).text()).toContain('/v1/verify/cancel')
    } finally {
      mock.stop()
    }
  })

  it('keeps the rules of the contract, and is asked for a new minor version', async () => {
    const { code, output } = await checkout.run(`set -e; ${afterContract}`)
    expect(code, output).toBe(0)
    expect(output).toMatch(/^\/v1\/verify\/cancel\n.* minor +added$/m)
    expect(output).toContain('0 breaking (major), 1 not breaking (1 minor, 0 patch).')
    expect(output).toContain('This asks for a new minor version')
  })

  it('has the compiler name the missing handler and the missing scenarios, and nothing else', async () => {
    const { code, output } = await checkout.run('tsc')
    expect(code).not.toBe(0)
    expect(output).toContain("Property 'cancelVerification' is missing")
    const places = Array.from(output.matchAll(/^(\S+?)\(.*error TS/gm), ([, file]) => file)
    expect(new Set(places)).toEqual(new Set(['src/http/api/operations/index.ts', 'test/contract/scenarios.ts']))
  })

  it('writes what the guide has, and it passes every check, the replay, and tests of its own', async () => {
    for (const step of codeSteps) await follow(step)
    const contract = await checkout.read('openapi.yaml')
    await checkout.write('openapi.yaml', contract.replace(/^ {2}version: .*$/m, '  version: 1.999.0'))
    const { code, output } = await checkout.run(`set -e; ${atTheEnd} --reporter=json --outputFile=report.json`)
    expect(code, output).toBe(0)
    expect(output, 'the guide is written as the formatter would').not.toMatch(/Fixed \d+ file/)
    const report = JSON.parse(await checkout.read('report.json')) as Report
    const titles = report.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title))
    const answers = titles.filter((title) => title.startsWith('cancelVerification '))
    const statuses = new Set(answers.map((title) => title.split(' ')[1]))
    expect([...statuses].join()).toBe('200,400,401,403,404,409,413,415,429,500,503')
    expect(titles).toContain('and Dredd played every scenario, and passed it')
    expect(titles).toContain('takes the right code no more, and is not sent if it was not yet')
  }, 400_000)
})

interface Report {
  testResults: { assertionResults: { title: string }[] }[]
}
