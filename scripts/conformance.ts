/**
 * Checks from outside that a deployment does what the contract promises: `npm run conformance -- <url>`, with a test key in
 * `WATCHWORD_API_KEY`. Ends with 0 when nothing failed, 1 when something did, 2 when the run made no sense.
 */
import { writeFile } from 'node:fs/promises'
import { admit } from './conformance/admission.ts'
import { createDeployment } from './conformance/deployment.ts'
import { startDeadline, waitWithin } from './conformance/deadline.ts'
import { Unusable } from './conformance/finding.ts'
import { junitOf } from './conformance/junit.ts'
import { type Options, parseOptions } from './conformance/options.ts'
import { lineOf, summaryOf, withoutSecrets } from './conformance/report.ts'
import { runChecks } from './conformance/run.ts'

/** A run takes a minute or two; with --long, as long as a code is valid, too. */
const [minutesMax, longMinutesMax] = [15, 60]

try {
  const options = parseOptions(process.argv.slice(2), (text) => void process.stdout.write(text))
  if (options) process.exitCode = (await passes(options)) ? 0 : 1
} catch (error) {
  if (!(error instanceof Unusable)) throw error
  process.stderr.write(`${withoutSecrets(error.message)}\n`)
  process.exitCode = 2
}

async function passes({ junit, only, ...options }: Options): Promise<boolean> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  if (junit !== undefined) await keep(junit, '')
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
        say(lineOf(outcome))
      },
    })
    if (outcomes.length === 0) throw new Unusable(`No check has "${only}" in its name.`)
    say(summaryOf(outcomes, deployment.requests()))
    if (junit !== undefined) await keep(junit, junitOf(options.url, outcomes))
    return outcomes.every(({ state }) => state !== 'failed')
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
