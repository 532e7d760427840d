/** `simulate`: the providers on this machine, for who wants to try an installation without an account at any. */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { readProviderFile } from '../delivery/channels/sms/providerFile.ts'
import { ownCommand } from '../kit/ownCommand.ts'
import { boundedYamlBytesMax } from '../kit/reading/boundedYaml.ts'
import { fileWords } from '../kit/reading/fileWords.ts'
import { textOfFault } from '../kit/reading/formFaults.ts'
import { readInput } from '../kit/reading/inputFile.ts'
import { decodeUtf8, faultOfArguments } from '../kit/reading/utf8.ts'
import { onStopSignal } from '../kit/stopping.ts'
import { visible } from '../kit/terminal.ts'
import { standardOptions } from './options.ts'
import { createSimulator, type Simulator } from './simulator.ts'

/** Milliseconds: as a person likes to see it, and as Meta does it. */
const [reportAfterMs, reportWindowMs, retryMs] = [300, 50, 1000]
const service = 'http://127.0.0.1:3000/providers/acct_default'
const { whatsappToken, appSecret, verifyToken, telegramToken, businessAccountId, phoneNumberIds } = standardOptions

const program = new Command('simulate')
  .usage('[options]')
  .description(
    'Simulates WhatsApp, Telegram and SMS providers, with their reports and their faults. It needs no database.',
  )
  .exitOverride()
  .showHelpAfterError('(add --help to see the options)')
  .option('--port <number>', 'the port of all; 0 takes a free one', whole(0, 65_535), 9700)
  .option('--host <address>', 'the address that it listens on', '127.0.0.1')
  .option('--allow-host <name...>', 'more host names that it answers to, besides those of this machine')
  .option('--whatsapp-webhook <url...>', 'where to send reports; <phone_number_id>=<url> for one number', [
    `${service}/wa`,
  ])
  .option('--whatsapp-token <token>', 'the access token of WhatsApp', whatsappToken)
  .option('--app-secret <secret>', 'signs the reports of WhatsApp', appSecret)
  .option('--verify-token <token>', "for WhatsApp's handshake", verifyToken)
  .option('--phone-number-id <id...>', 'the numbers that may send by WhatsApp', [...phoneNumberIds])
  .option('--business-account-id <id>', 'the account that has the templates', businessAccountId)
  .option(
    '--telegram-webhook <url>',
    'where to send reports of messages without a callback_url, or "none"',
    `${service}/tg`,
  )
  .option('--telegram-token <token>', 'the access token of Telegram', telegramToken)
  .option('--sms-provider <file...>', 'your own provider files, besides those that ship', [])
  .option('--sms-webhook <provider=url...>', 'where to send reports of providers that are told of no address', [])
  .option('--sms-secret <provider.setting=value...>', 'what connections have there; simulated-<setting> by itself', [])
  .option('--report-after-ms <ms>', 'the wait before each report', whole(0, 600_000), reportAfterMs)
  .option('--report-window-ms <ms>', "for how long WhatsApp's reports are collected", whole(0, 60_000), reportWindowMs)
  .option('--slow-every <count>', 'every how many answers one is slow', whole(1, 1_000_000))
  .option('--slow-ms <ms>', 'how slow', whole(0, 100_000), 8000)
  .option('--chaos <probability>', 'random faults: 0.3 for three in ten requests', share)
  .option('--seed <number>', 'the same seed gives the same faults', whole(0, 2 ** 32), 1)

interface Options {
  port: number
  host: string
  allowHost?: string[]
  whatsappWebhook: string[]
  whatsappToken: string
  appSecret: string
  verifyToken: string
  phoneNumberId: string[]
  businessAccountId: string
  telegramWebhook: string
  telegramToken: string
  smsProvider: string[]
  smsWebhook: string[]
  smsSecret: string[]
  reportAfterMs: number
  reportWindowMs: number
  slowEvery?: number
  slowMs: number
  chaos?: number
  seed: number
}

// Somebody who read along has gone: no reason to end.
process.stdout.on('error', () => {})

try {
  const fault = faultOfArguments(process.argv.slice(3))
  if (fault !== undefined) program.error(`error: ${fault}`)
  program.parse(process.argv.slice(3), { from: 'user' })
  const options = program.opts<Options>()
  const simulator = await start(options)
  greet(simulator, options)
  onStopSignal(() => void simulator.close().then(() => process.exit(0)))
  for (const { url, fault } of await simulator.shakeHands()) {
    if (fault === undefined) say(`${url} knows WhatsApp's handshake.`)
    else say(`${url} did not pass WhatsApp's handshake: ${fault}. This is fine if the service starts later.`)
  }
} catch (error) {
  process.exitCode = toExitCode(error)
}

async function start(options: Options): Promise<Simulator> {
  const { phoneNumberId, allowHost = [], telegramWebhook, whatsappWebhook, slowEvery, slowMs, chaos, seed } = options
  const addresses = whatsappWebhook.map((text) => /^(?:(\d+)=)?(.*)$/s.exec(text)!)
  const smsWebhooks = pairsIn(options.smsWebhook)
  const urls = [...addresses.map(([, , url = '']) => url), telegramWebhook, ...Object.values(smsWebhooks)]
  for (const url of urls) requireUrl(url)
  const simulator = await createSimulator({
    ...options,
    hosts: allowHost,
    phoneNumberIds: phoneNumberId,
    whatsappWebhook: addresses.findLast(([, id]) => id === undefined)?.[2],
    whatsappWebhooks: Object.fromEntries(
      addresses.flatMap(([, id, url = '']) => (id === undefined ? [] : [[id, url]])),
    ),
    telegramWebhook: telegramWebhook === 'none' ? undefined : telegramWebhook,
    smsProviders: [...standardOptions.smsProviders, ...(await Promise.all(options.smsProvider.map(providerFrom)))],
    smsSecrets: pairsIn(options.smsSecret),
    smsWebhooks,
    retryMs,
    // At a terminal alone: a thousand messages a second are no reading.
    ...(process.stdout.isTTY && {
      onMessage: (phone, { wire, provider, text }) => say(`[${provider ?? wire} ${phone}] ${text}`),
    }),
    onNote: ({ about, text, count }) => {
      if (count === 1) say(`${about}: ${text}`)
    },
  })
  if (slowEvery !== undefined) simulator.slow({ every: slowEvery, ms: slowMs })
  if (chaos !== undefined) simulator.chaos({ probability: chaos, seed })
  return simulator
}

function greet({ url }: Simulator, { whatsappWebhook, telegramWebhook }: Options): void {
  process.stdout.write(
    `\n  The simulator listens on ${url}: open it in a browser, and use it as the base_url of WhatsApp and Telegram.\n`,
  )
  process.stdout.write(`  Each SMS provider has a base_url of its own: ${url}/sms/twilio, ${url}/sms/telnyx, ...\n`)
  process.stdout.write(`  WhatsApp reports to ${whatsappWebhook.join(', ')}\n`)
  process.stdout.write(`  Telegram reports to the callback_url of a message, or to ${telegramWebhook}\n\n`)
}

/** @throws CommanderError with everything that is wrong with the file */
async function providerFrom(path: string) {
  const refuse = (faults: readonly string[]) => program.error(`error: ${faults.map(visible).join('\n')}`)
  const bytes = await readInput(path, boundedYamlBytesMax).catch((error: NodeJS.ErrnoException) =>
    refuse([`cannot read ${path}: ${fileWords(error)}`]),
  )
  const { text, fault } = decodeUtf8(bytes)
  if (text === undefined) return refuse([`${path}: ${fault}`])
  const { file, faults = [] } = readProviderFile(text)
  return file ?? refuse(faults.map((one) => textOfFault(one, path)))
}

/** `name=value`, several times. */
function pairsIn(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [whole, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
      if (whole === undefined) program.error(`error: "${visible(text)}" must be a name, =, and a value`)
      return [name, value]
    }),
  )
}

function say(text: string): void {
  process.stdout.write(`  ${visible(text)}\n`)
}

/** Commander has said already what is wrong with the usage. */
function toExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const { code, message } = error as NodeJS.ErrnoException
  const reason =
    code === 'EADDRINUSE' ? `The port is taken. Choose another one: ${ownCommand.simulate} --port 9701` : message
  process.stderr.write(`${reason}\n`)
  return 1
}

/** @throws CommanderError */
function requireUrl(text: string): void {
  if (text === 'none' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return
  program.error(`error: "${visible(text)}" is no address of a webhook: write http://… or https://…`)
}

function whole(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Write a whole number from ${min} to ${max}.`)
  }
}

function share(text: string): number {
  const number = Number(text)
  if (/^[\d.]+$/.test(text) && number <= 1) return number
  throw new InvalidArgumentError('Write a number from 0 to 1.')
}
