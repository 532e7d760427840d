import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { ownCommand } from '../kit/ownCommand.ts'
import { addAccounts, addTwilio } from './account.ts'
import { addKeys } from './apiKey.ts'
import { addChannels } from './channels/connection.ts'
import { addProviders } from './channels/provider.ts'
import { addEndpoints } from './endpoint.ts'
import { addInlets } from './inlet.ts'
import { addMessages } from './message.ts'
import { addOptOuts, addPhones } from './phone.ts'
import { addProtection } from './protection/protection.ts'
import { addReceipts } from './receiptKey.ts'
import type { Shell } from './shell.ts'
import { addTemplates } from './template.ts'
import { addTransfers } from './transfer.ts'
import { addUpkeep } from './upkeep.ts'
import { usageWords } from './usage.ts'
import { addUsers } from './user.ts'
import { addWording } from './wording.ts'

/** All commands of an operator, with their help. It throws CommanderError where a process would end. */
export function createProgram(shell: Shell): Command {
  const program = new Command(ownCommand.name)
    .description(
      'Administers Watchword: accounts, API keys, templates, channels, providers, inlets, rules, messages, phones, endpoints, people and receipts.',
    )
    .version(manifest.version, '--version', 'prints the version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageWords(text)) })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help to see what this command takes)')
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
    addPhones,
    addOptOuts,
    addEndpoints,
    addUsers,
    addReceipts,
    addTwilio,
    addUpkeep,
    addTransfers,
  ])
    add(program, shell)
  for (const group of program.commands) nameCommands(group)
  return program
}

/** A word that is none of its commands is told them: what looks most like `create` is `rotate`, and is not what was meant. */
function nameCommands(group: Command): void {
  if (group.commands.length === 0) return
  group.commands.forEach(nameCommands)
  const names = group.commands.map((one) => one.name()).join(', ')
  group.showSuggestionAfterError(false)
  group.configureOutput({
    outputError: (text, write) =>
      write(usageWords(text).replace(/^(There is no command .+)\.$/m, `$1: ${group.name()} has ${names}.`)),
  })
}
