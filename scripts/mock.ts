/** Starts the mock. */
import { InvalidArgumentError } from 'commander'
import { createCommand } from './command.ts'
import { type Delay, delayForm, readDelay } from './contract/delay.ts'
import { generate, writeGenerated } from './contract/generated.ts'
import { ContractFault } from './contract/redocly.ts'
import { hangUpWithNpm } from './leash.ts'

const options = createCommand('mock', 'Answers from the contract alone: without a service, without a database.')
  .option('--port <number>', 'where it listens; 0 takes a free one', port, 4010)
  .option('--host <address>', 'the address that it listens on', '127.0.0.1')
  .option('--delay <ms>', 'milliseconds before each answer: 800, or 200-800 for a random time between', delay)
  .option('--dynamic', 'makes up the values of answers, instead of giving examples')
  .parse()
  .opts<{ port: number; host: string; delay?: Delay; dynamic?: boolean }>()

hangUpWithNpm()
try {
  await writeGenerated(await generate())
  // Only now, because it reads what was generated.
  const { startMock } = await import('./contract/mock.ts')
  const url = await startMock({ ...options, tell: (line) => process.stdout.write(`${line}\n`) })
  process.stdout.write(
    `The mock listens on ${url}\n` +
      'Any key will do. Ask for an answer with a header: `Prefer: code=429, example=rate_limited`\n',
  )
} catch (error) {
  process.stderr.write(`${explain(error as NodeJS.ErrnoException)}\n`)
  process.exit(1)
}

function explain(error: NodeJS.ErrnoException): string | undefined {
  if (error instanceof ContractFault) return error.message
  if (error.code === 'EADDRINUSE') return 'The port is taken. Choose another one: npm run mock -- --port 4011'
  return error.stack
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}

function delay(text: string): Delay {
  const read = readDelay(text)
  if (read === undefined) throw new InvalidArgumentError(`It is ${delayForm}.`)
  return read
}
