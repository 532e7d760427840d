/**
 * Checks from outside that a deployment does what the contract promises: `npm run conformance -- <url>`, with a test key in
 * `WATCHWORD_API_KEY`; or the package in a folder, which it starts: `npm run conformance -- --package <folder>`. Ends with 0 when nothing failed, 1 when something did, 2 when the run made no sense.
 */
import { writeFile } from 'node:fs/promises'
import { admit } from './conformance/admission.ts'
import { startDeadline, waitWithin } from './conformance/deadline.ts'
import { createDeployment } from './conformance/deployment.ts'
import { Unusable } from './conformance/finding.ts'
import { formatJunit, junitOfNone } from './conformance/junit.ts'
import { type Options, parseOptions } from './conformance/options.ts'
import { startPackage } from './conformance/package.ts'
import { formatLine, formatSummary, toldOn } from './conformance/report.ts'
import { type Outcome, runChecks } from './conformance/run.ts'

/** A run takes a minute or two; with --long, as long as a code is valid, too. */
const [minutesMax, longMinutesMax] = [15, 60]

/** Of this run. */
let keys: string[] = []

try {
  const options = parseOptions(process.argv.slice(2), (text) => void process.stdout.write(text))
  if (options) process.exitCode = (await passesAt(options)) ? 0 : 1
} catch (error) {
  if (!(error instanceof Unusable)) throw error
  process.stderr.write(`${toldOn(error.message, keys)}\n`)
  process.exitCode = 2
}

/** Where it is, or where it is started. */
async function passesAt({ url, key, package: folder, ...options }: Options): Promise<boolean> {
  const started = folder === undefined ? undefined : await startPackage(folder)
  try {
    return await passes({ ...options, url: url ?? started?.url ?? '', key: started?.key ?? key ?? '' })
  } finally {
    await started?.end()
  }
}

type Asked = Omit<Options, 'url' | 'key' | 'package'> & { url: string; key: string }

async function passes(options: Asked): Promise<boolean> {
  const { url, junit } = options
  keys = [options.key, options.scopedKey].filter((key) => key !== undefined)
  const report = (xml: string) => (junit === undefined ? undefined : keep(junit, xml))
  await report(junitOfNone(url, 'The run has not come to its end.', keys))
  try {
    const outcomes = await runReporting(options)
    await report(formatJunit(url, outcomes, keys))
    return outcomes.every(({ state }) => state !== 'failed')
  } catch (error) {
    if (error instanceof Unusable) await report(junitOfNone(url, error.message, keys))
    throw error
  }
}

/** Tells them, too. @throws Unusable */
async function runReporting({ only, ...options }: Asked): Promise<Outcome[]> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { signal, clear } = startDeadline(options.long ? longMinutesMax : minutesMax)
  const wait = (seconds: number) => waitWithin(signal, seconds)
  const deployment = createDeployment({ ...options, deadline: signal, wait })
  try {
    await admit(deployment)
    let suite = ''
    const outcomes = await runChecks({
      deployment,
      only,
      onOutcome: (outcome) => {
        if (outcome.suite !== suite) say(`\n${outcome.suite}`)
        suite = outcome.suite
        say(formatLine(outcome, keys))
      },
    })
    if (outcomes.length === 0) throw new Unusable(`No check has "${only}" in its name.`)
    say(formatSummary(outcomes, deployment.requests()))
    return outcomes
  } finally {
    clear()
    await deployment.close()
  }
}

/** @throws Unusable */
async function keep(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new Unusable(`The report cannot be written: ${(error as Error).message}`)
  }
}
