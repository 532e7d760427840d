/** What is asked of a run, from its arguments and the environment. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { packageFolder } from '../bench/program.ts'
import { Unusable } from './finding.ts'

export interface Options {
  /** Of the deployment, without a slash at the end; undefined where a package is started. */
  url: string | undefined
  /** Undefined where a package is started that makes one. */
  key: string | undefined
  /** The folder that the package is installed in. */
  package: string | undefined
  scopedKey: string | undefined
  junit: string | undefined
  only: string | undefined
  timeoutSeconds: number
  long: boolean
  allowedHeaders: string[]
}

const after = `
What it does:
  Holds a deployment to openapi.yaml from outside: every answer that can be made to happen, what becomes of messages, codes,
  repeats, and what holds when everything comes at once. It takes about a minute and 500 requests. No message leaves for a
  phone. It leaves messages of the test mode behind, as any test does.

The key:
  A test key (ww_test_…) with every scope. Better in WATCHWORD_API_KEY than in --key: others on the machine can see arguments.
    npm run cli -- keys create --name conformance --mode test

Ends with 0 when nothing failed, 1 when something did, 2 when the run made no sense.

Examples:
  npm run conformance -- https://verify.example.com
  npm run conformance -- http://localhost:3000 --only "at once"
  npm run conformance -- https://verify.example.com --junit conformance.xml --long`

/**
 * @param write takes the help
 * @returns undefined when only help was wanted
 * @throws Unusable
 */
export function parseOptions(argv: readonly string[], write: (text: string) => void): Options | undefined {
  const command = createCommand(write)
  try {
    command.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return undefined
    throw new Unusable(`${error.message}\nSee: npm run conformance -- --help`)
  }
  const [url] = command.args
  const { key, scopedKey, timeout, allowHeader, package: folder, ...given } = command.opts<Given>()
  if ((url === undefined) === (folder === undefined)) throw new Unusable('Give an address, or --package.')
  if (!key && !folder) throw new Unusable('There is no key. Set WATCHWORD_API_KEY, or give --key.')
  if (key) requireTestKey(key, 'The key')
  if (scopedKey) requireTestKey(scopedKey, 'The second key')
  const { junit, only, long = false } = given
  return {
    url: url === undefined ? undefined : parseBase(url),
    ...{ key: key || undefined, package: folder, scopedKey: scopedKey || undefined, junit, only, long },
    timeoutSeconds: timeout,
    allowedHeaders: allowHeader,
  }
}

interface Given {
  key?: string
  package?: string
  scopedKey?: string
  junit?: string
  only?: string
  timeout: number
  long?: boolean
  allowHeader: string[]
}

function createCommand(write: (text: string) => void): Command {
  return new Command('conformance')
    .usage('[url] [options]')
    .description('Checks that a deployment does what the contract promises.')
    .argument('[url]', 'where the API is, with the path that a proxy takes off, if there is one')
    .option('--package <folder>', 'in place of the URL: starts the package that is installed there', packageFolder)
    .addOption(new Option('--key <key>', 'a test key with every scope').env('WATCHWORD_API_KEY'))
    .addOption(
      new Option(
        '--scoped-key <key>',
        'another test key of the account, to be refused for the scopes that it lacks',
      ).env('WATCHWORD_SCOPED_API_KEY'),
    )
    .option('--junit <file>', 'write the report there too, as JUnit XML')
    .option('--only <text>', 'only checks that have this text in their name')
    .option('--timeout <seconds>', 'for one answer, and for a message to come to its status', seconds, 60)
    .option('--long', 'also what takes as long as a code is valid: about 10 minutes more')
    .option('--allow-header <name>', 'a header that your proxy adds to answers; may be repeated', collect, [])
    .helpOption('-h, --help', 'show this')
    .addHelpText('after', after)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {} })
}

function seconds(text: string): number {
  const value = Number(text)
  if (!(value >= 1 && value <= 3600)) throw new InvalidArgumentError('It is a number of seconds from 1 to 3600.')
  return value
}

function collect(name: string, names: string[]): string[] {
  return [...names, name]
}

/** Before anything is sent. @throws Unusable */
function requireTestKey(key: string, which: string): void {
  if (key.startsWith('ww_live_')) {
    throw new Unusable(
      `${which} is a live one. A run sends dozens of messages, and with a live key they go to the phones of strangers ` +
        'and use up limits. Give it a test key: npm run cli -- keys create --name conformance --mode test',
    )
  }
  if (!/^ww_test_[!-~]+$/.test(key)) {
    throw new Unusable(`${which} is no test key: those begin with ww_test_, without blanks and line ends.`)
  }
}

/** @throws Unusable */
function parseBase(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Unusable('The address is a URL with http:// or https://.')
  if (url.username || url.password || url.search || url.hash)
    throw new Unusable('The address is scheme, host, port and path, and nothing else.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
