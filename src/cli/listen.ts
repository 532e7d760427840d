import { type Command, InvalidArgumentError } from 'commander'
import { ownCommand } from '../kit/ownCommand.ts'
import { Refusal } from '../kit/refusal.ts'
import { jsonLine, visible } from '../kit/terminal.ts'
import { parseSecret } from '../outbound/signature.ts'
import { type ReceivedEvent, startReceiver } from './receiver.ts'

interface Options {
  port: number
  secret?: string[]
  json?: boolean
}

/** Adds an endpoint on this machine, which shows what comes. It needs no database. */
export function addListening(endpoints: Command): void {
  endpoints
    .command('listen')
    .description('starts a local receiver and shows every event, verified or not')
    .option('--port <number>', '0 picks a free port', port, 9800)
    .option('--secret <secret>', 'the secret of the endpoint; repeat it for several', (one, list: string[] = []) => [
      ...list,
      one,
    ])
    .option('--json', 'print each event as a line of JSON, and everything else on stderr')
    .action(listen)
}

async function listen({ port, secret: secrets = [], json = false }: Options): Promise<void> {
  for (const secret of secrets) {
    const parsed = parseSecret(secret)
    // What is wrong with it does not quote it.
    if ('fault' in parsed) throw new Refusal(`A secret ${parsed.fault}.`)
  }
  const stopped = untilStopped()
  const show = json ? toJson : formatText
  const receiver = await startReceiver({
    port,
    secrets,
    onEvent: (event) => process.stdout.write(`${show(event)}\n`),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`Port ${port} cannot be used (${error.code}): choose another one with --port.`)
  })
  const greeting = json ? process.stderr : process.stdout
  greeting.write(formatGreeting(receiver.url, secrets.length > 0))
  await stopped
  await receiver.close()
}

/** Also when somebody who read along has gone. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    process.stdout.on('error', () => resolve())
  })
}

function formatGreeting(url: string, isVerifying: boolean): string {
  const lines = [`Listening on ${url}`, `To add it: ${ownCommand.cli} endpoints add ${url} --mode test`]
  if (!isVerifying) lines.push('To verify signatures, start this again with --secret and the secret that it prints.')
  return `\n${lines.map((line) => `  ${line}\n`).join('')}\n`
}

function toJson({ at, id, fault, isRepeat, body }: ReceivedEvent): string {
  const event = parsed(body)
  return jsonLine({
    at: at.toISOString(),
    id: id ?? null,
    verified: fault === undefined,
    reason: fault ?? null,
    repeat: isRepeat,
    ...(event === undefined ? { body } : { event }),
  })
}

function formatText({ at, id, fault, isRepeat, body }: ReceivedEvent): string {
  const { type, data } = (parsed(body) ?? {}) as { type?: unknown; data?: unknown }
  const isEvent = typeof type === 'string' && typeof data === 'object' && data !== null
  const parts = [at.toISOString(), isEvent ? type : 'no event', id ?? 'without an id']
  parts.push(fault === undefined ? 'verified' : `NOT VERIFIED: ${fault}`)
  if (isRepeat) parts.push('(it came before)')
  const shown = isEvent ? Object.entries(data).map(([name, value]) => `${name}: ${textOfValue(value)}`) : [body]
  return [visible(parts.join('  ')), ...shown.map((line) => `  ${visible(line)}`)].join('\n')
}

function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function port(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= 65_535) return number
  throw new InvalidArgumentError('Write a whole number from 0 to 65535.')
}
