import { z } from 'zod'
import { filledCharactersMax } from '../contract/document.ts'
import { defaultAccount } from '../domain/access/account.ts'
import { encodingNames } from '../domain/sending/wordings/wordingForm.ts'
import type { NewTemplate } from '../domain/templates/template.ts'
import { sizeOfTemplate } from '../domain/templates/templateSize.ts'
import { table } from '../kit/terminal.ts'
import { type AddCommands, command, type OfAccount, print, warnOf } from './shell.ts'
import { readFormedYaml } from './yamlFile.ts'

export const addTemplates: AddCommands = (program, { administer }) => {
  const templates = program.command('templates').description('manage notification templates')

  command(templates, 'apply', 'adds or changes the templates in a file, all or nothing')
    .argument('<file>', 'YAML: a list of slug and text')
    .option('--account <name>', 'the account', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const list = await readTemplates(
          file,
          admin.templates.forms.map(({ kind }) => kind),
        )
        const { id, name: account } = await admin.accounts.require(options.account)
        await admin.templates.apply(id, list)
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

async function readTemplates(file: string, kinds: readonly string[]): Promise<NewTemplate[]> {
  const channels = Object.fromEntries(kinds.map((kind) => [kind, z.unknown().optional()]))
  const form = z.array(
    z.strictObject({ slug: z.string(), text: z.string().min(1).max(filledCharactersMax), ...channels }),
  )
  const data = await readFormedYaml(file, form, 'a list of slug and text')
  return data.map(({ slug, text, ...channels }) => ({ slug, text, channels }))
}
