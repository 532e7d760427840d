import type { Command } from 'commander'
import { defaultAccount } from '../../domain/access/account.ts'
import { importedFrom, type ProviderTemplate } from '../../domain/templates/providerTemplate.ts'
import { table } from '../../kit/terminal.ts'
import type { Template } from '../../store/template.ts'
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
        const own = await admin.templates.list(account.id)
        if (!options.import) return print(options, found.map(toJson(own)), table(found.map(formatLine(own))))
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

/** The account's templates that are sent with it. */
function findUsers({ name, language }: ProviderTemplate, own: readonly Template[]): string[] {
  const names = (said: unknown) => {
    const { name: named, language: spoken } = (said ?? {}) as { name?: unknown; language?: unknown }
    return named === name && spoken === language
  }
  const isUser = ({ locales }: Template) =>
    Object.values(locales).some(({ channels }) => Object.values(channels).some(names))
  return own.filter(isUser).map(({ slug }) => slug)
}

function toJson(own: readonly Template[]) {
  return (one: ProviderTemplate) => {
    const { made, quality, ...told } = one
    const left = 'unfit' in made ? { cannot_be_filled: made.unfit } : {}
    return { ...told, ...(quality !== undefined && { quality }), used_by: findUsers(one, own), ...left }
  }
}

function formatLine(own: readonly Template[]) {
  return (one: ProviderTemplate) => {
    const { name, language, category, status, quality, places, made } = one
    return {
      ...{ name, language, category, status, quality },
      to_fill: 'unfit' in made ? made.unfit : places.join(', ') || '-',
      used_by: findUsers(one, own).join(', ') || '-',
    }
  }
}
