/**
 * The operator's commands. Exit code 0; 1 for a refusal, with one line on stderr; 2 for wrong usage. With `--json`,
 * stdout holds one JSON value and nothing else.
 */
import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addAccounts, addTwilio } from './cli/account.ts'
import { addKeys } from './cli/apiKey.ts'
import { addChannels } from './cli/channels/connection.ts'
import { addProviders } from './cli/channels/provider.ts'
import { addEndpoints } from './cli/endpoint.ts'
import { addInlets } from './cli/inlet.ts'
import { addMessages } from './cli/message.ts'
import { addProtection } from './cli/protection/protection.ts'
import { addReceipts } from './cli/receiptKey.ts'
import { createShell } from './cli/shell.ts'
import { addTemplates } from './cli/template.ts'
import { addTransfers } from './cli/transfer.ts'
import { addUpkeep } from './cli/upkeep.ts'
import { addUsers } from './cli/user.ts'
import { addWording } from './cli/wording.ts'
import { ownCommand } from './kit/ownCommand.ts'
import { Refusal } from './kit/refusal.ts'
import { describeError } from './kit/runtime.ts'
import { visible } from './kit/terminal.ts'
import { explain } from './process/explain.ts'

const program = new Command(ownCommand.name)
  .description(
    'Administers Watchword: accounts, API keys, templates, channels, providers, inlets, rules, messages, endpoints, people and receipts.',
  )
  .version(manifest.version, '--version', 'tells the version')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(add --help to see what this command takes)')

try {
  const shell = createShell(process.env)
  for (const add of [
    addAccounts,
    addKeys,
    addTemplates,
    addWording,
    addChannels,
    addProviders,
    addInlets,
    addProtection,
    addMessages,
    addEndpoints,
    addUsers,
    addReceipts,
    addTwilio,
    addUpkeep,
    addTransfers,
  ])
    add(program, shell)
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

/** Commander has said already what is wrong with the usage. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  // A refusal repeats what it was given, which may be a file of somebody else.
  const reason = error instanceof Refusal ? visible(error.message) : explain(error)
  process.stderr.write(`${reason ?? `Failed unexpectedly: ${JSON.stringify(describeError(error))}`}\n`)
  return 1
}
