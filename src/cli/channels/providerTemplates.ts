import type { Command } from 'commander'
import { defaultAccount } from '../../domain/access/account.ts'
import { importedFrom, type ListedProviderTemplate } from '../../domain/templates/providerTemplate.ts'
import { table } from '../../kit/terminal.ts'
import { command, type OfAccount, print, type Shell } from '../shell.ts'

interface Options extends OfAccount {
  import?: boolean
}

export function addProviderTemplates(channels: Command, { administer }: Pick<Shell, 'administer'>): void {
  command(channels, 'templates', 'lists the templates of a WhatsApp channel at Meta, and their parameters')
    .argument('<id>', 'id of the channel')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .option('--import', 'also add the ones that can be filled to the templates of the account; changes no existing one')
    .action((id: string, options: Options) =>
      administer(async (admin) => {
        const account = await admin.accounts.require(options.account)
        const found = await admin.listProviderTemplates(account.id, id)
        if (!options.import) return print(options, found.map(toJson), table(found.map(formatLine)))
        const own = await admin.templates.list(account.id)
        const { templates, left } = importedFrom(found, new Set(own.map(({ slug }) => slug)))
        if (templates.length > 0) await admin.templates.apply(account.id, templates)
        const added = templates.map(({ slug }) => slug)
        const lines = [
          added.length > 0 ? `Added ${added.join(', ')}.` : 'Added none.',
          ...left.map(({ name, reason }) => `Left out: ${name} ${reason}.`),
        ]
        print(options, { account: account.name, added, left }, lines.join('\n'))
      }),
    )
}

function toJson({ made, quality, users, ...told }: ListedProviderTemplate) {
  const unfitting = users.filter(({ faults }) => faults.length > 0)
  return {
    ...told,
    ...(quality !== undefined && { quality }),
    used_by: users.map(({ slug }) => slug),
    ...(unfitting.length > 0 && { does_not_fit: unfitting }),
    ...('unfit' in made && { cannot_be_filled: made.unfit }),
  }
}

function formatLine({ name, language, category, status, quality, places, made, users }: ListedProviderTemplate) {
  const used = users.map(({ slug, faults }) => (faults.length > 0 ? `${slug} (does not fit)` : slug))
  return {
    ...{ name, language, category, status, quality },
    to_fill: 'unfit' in made ? made.unfit : places.join(', ') || '-',
    used_by: used.join(', ') || '-',
  }
}
