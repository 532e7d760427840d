import { defaultAccount } from '../domain/access/account.ts'
import { encodingNames } from '../domain/sending/wordings/wordingForm.ts'
import { toWritten } from '../domain/templates/template.ts'
import { isMapping, type NewTemplate, type NewTemplateLocale, noLocale } from '../domain/templates/templateEntry.ts'
import { sizeOfTemplate } from '../domain/templates/templateSize.ts'
import { Refusal } from '../kit/refusal.ts'
import { table } from '../kit/terminal.ts'
import type { Template } from '../store/template.ts'
import { readYaml } from './files/yamlFile.ts'
import { type AddCommands, command, type OfAccount, print, warnOf } from './shell.ts'

export const addTemplates: AddCommands = (program, { administer }) => {
  const templates = program.command('templates').description('manage notification templates')

  command(templates, 'apply', 'adds or changes the templates in a file, all or nothing')
    .argument('<file>', 'YAML: a list of slug and text')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const { value, within } = await readYaml(file, (name) => name === 'text')
        if (!Array.isArray(value)) throw new Refusal(`${file} must be a list of slug and text.`)
        const written = value.map(asTemplate)
        const { id, name: account } = await admin.accounts.require(options.account)
        await within(() => admin.templates.apply(id, written))
        const list = written as NewTemplate[]
        const slugs = list.map(({ slug }) => slug)
        print(options, { account, applied: slugs }, `Applied ${slugs.join(', ')}.`)
        warnOf(list.flatMap(findNotes))
      }),
    )

  command(templates, 'list', 'lists the templates, with the minimum of characters and SMS for each language')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const found = await admin.templates.list(id)
        print(options, found.map(toJson), table(found.flatMap(formatLines)))
        warnOf(found.map(toWritten).flatMap(findNotes))
      }),
    )
}

/** As in a file, and what each language takes. */
function toJson({ updatedAt, version, ...template }: Template) {
  const { slug, category, defaultLocale, locales = {}, ...own } = toWritten(template)
  const others = Object.entries(locales).map(([locale, text]) => [locale, sizedOf(text)])
  return {
    ...{ slug, category, version },
    ...(defaultLocale !== undefined && { default_locale: defaultLocale }),
    ...sizedOf(own),
    ...(others.length > 0 && { locales: Object.fromEntries(others) }),
    updated_at: updatedAt.toISOString(),
  }
}

function sizedOf({ text, channels }: NewTemplateLocale) {
  return { text, ...sizeOfTemplate(text), ...channels }
}

/** One for each language. */
function formatLines({ slug, category, version, defaultLocale, locales, updatedAt }: Template) {
  return Object.entries(locales).map(([locale, { text, channels }]) => {
    const { characters, segments: sms, encoding } = sizeOfTemplate(text)
    return {
      ...{ slug, text, characters, sms, encoding: encodingNames[encoding] },
      also_for: Object.keys(channels).join(', ') || '-',
      language:
        (locale === noLocale ? '-' : locale) +
        (locale === defaultLocale && Object.keys(locales).length > 1 ? ' (default)' : ''),
      ...{ category, version, updated_at: updatedAt.toISOString() },
    }
  })
}

/** What is overlooked and costs, in each language. */
function findNotes({ slug, text, locales = {} }: NewTemplate): [name: string, note: string | undefined][] {
  const others = Object.entries(locales).map(([locale, other]): [string, string] => [
    `${slug} in ${locale}`,
    other.text,
  ])
  return [[slug, text] as const, ...others].map(([name, written]) => [name, sizeOfTemplate(written).note])
}

/** In a file, what a template says for kinds of channels stands beside its text. */
function asTemplate(written: unknown): unknown {
  if (!isMapping(written)) return written
  const { slug, category, default_locale: defaultLocale, locales, ...own } = written
  return { slug, category, defaultLocale, locales: inEach(locales, asLocale), ...(asLocale(own) as object) }
}

function asLocale(written: unknown): unknown {
  if (!isMapping(written)) return written
  const { text, ...channels } = written
  return { text, channels }
}

function inEach(value: unknown, change: (member: unknown) => unknown): unknown {
  return isMapping(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)])) : value
}
