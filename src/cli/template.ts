import { defaultAccount } from '../domain/access/account.ts'
import { encodingNames } from '../domain/sending/wordings/wordingForm.ts'
import type { NewTemplate } from '../domain/templates/templateEntry.ts'
import { sizeOfTemplate } from '../domain/templates/templateSize.ts'
import { Refusal } from '../kit/refusal.ts'
import { table } from '../kit/terminal.ts'
import { readYaml } from './files/yamlFile.ts'
import { type AddCommands, command, type OfAccount, print, warnOf } from './shell.ts'

export const addTemplates: AddCommands = (program, { administer }) => {
  const templates = program.command('templates').description('manage notification templates')

  command(templates, 'apply', 'adds or changes the templates in a file, all or nothing')
    .argument('<file>', 'YAML: a list of slug and text')
    .option('--account <name>', 'the account', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const { value, within } = await readYaml(file)
        if (!Array.isArray(value)) throw new Refusal(`${file} must be a list of slug and text.`)
        const written = value.map(asTemplate)
        const { id, name: account } = await admin.accounts.require(options.account)
        await within(() => admin.templates.apply(id, written))
        const list = written as NewTemplate[]
        const slugs = list.map(({ slug }) => slug)
        print(options, { account, applied: slugs }, `Applied ${slugs.join(', ')}.`)
        warnOf(list.map(({ slug, text }) => [slug, sizeOfTemplate(text).note]))
      }),
    )

  command(templates, 'list', 'lists the templates, with the characters and SMS that each takes at least')
    .option('--account <name>', 'the account', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const found = (await admin.templates.list(id)).map((row) => ({ ...row, size: sizeOfTemplate(row.text) }))
        const json = found.map(({ slug, text, size, channels, updatedAt }) => {
          return { slug, text, ...size, ...channels, updated_at: updatedAt.toISOString() }
        })
        const lines = found.map(
          ({ slug, text, size: { characters, segments: sms, encoding }, channels, updatedAt }) => {
            const size = { characters, sms, encoding: encodingNames[encoding] }
            const also_for = Object.keys(channels).join(', ') || '-'
            return { slug, text, ...size, also_for, updated_at: updatedAt.toISOString() }
          },
        )
        print(options, json, table(lines))
        warnOf(found.map(({ slug, size }) => [slug, size.note]))
      }),
    )
}

/** In a file, what a template says for kinds of channels stands beside its text. */
function asTemplate(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return written
  const { slug, text, ...channels } = written as Record<string, unknown>
  return { slug, text, channels }
}
