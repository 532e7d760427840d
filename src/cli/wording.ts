import { defaultAccount } from '../domain/access/account.ts'
import { writeCodeText } from '../domain/sending/wordings/codeText.ts'
import { costlyCharacters } from '../domain/sending/wordings/costlyCharacters.ts'
import { languageIn } from '../domain/sending/wordings/language.ts'
import {
  encodingNames,
  example,
  type GivenWording,
  sizesOf,
  type WrittenWording,
} from '../domain/sending/wordings/wordingForm.ts'
import { Refusal } from '../kit/refusal.ts'
import { table } from '../kit/terminal.ts'
import { readYaml } from './files/yamlFile.ts'
import { type AddCommands, command, type OfAccount, print, warnOf } from './shell.ts'

export const addWording: AddCommands = (program, { administer }) => {
  const wording = program.command('wording').description('manage the texts of code messages, by language')

  command(wording, 'apply', 'replaces the wording of an account with that in a file, all or nothing')
    .argument('<file>', 'YAML: a text for each language; default and domain if wanted')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const { value, within } = await readYaml(file, (name) => name !== 'default' && name !== 'domain')
        const written = writtenIn(value)
        if (!written) throw new Refusal(`${file} must be a text for each language, like en: "{{code}} is your code."`)
        const { id, name: account } = await admin.accounts.require(options.account)
        await within(() => admin.wordings.apply(id, written))
        const given = written as GivenWording
        const languages = Object.keys(given.texts)
        const said = languages.length > 0 ? languages.join(', ') : 'no language: the texts that ship are sent'
        print(options, { account, applied: languages }, `Applied ${said}.`)
        warnOf(Object.entries(given.texts).map(([language, text]) => [language, costlyCharacters(text, sizesOf)]))
      }),
    )

  command(wording, 'list', 'lists the texts of an account, with the most SMS that each can take')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const { locale, domain, texts } = await admin.wordings.find(id)
        const listed = Object.entries(texts).map(([language, text]) => ({ language, text, ...sizesOf(text) }))
        const lines = listed.map(({ encoding, segments, ...line }) => {
          return { ...line, sms: segments, encoding: encodingNames[encoding] }
        })
        const defaults = `default: ${locale ?? 'none'}, domain: ${domain ?? 'none'}`
        print(options, { default: locale, domain, texts: listed }, `${defaults}\n${table(lines)}`)
        warnOf(listed.map(({ language, text }) => [language, costlyCharacters(text, sizesOf)]))
      }),
    )

  command(wording, 'show', 'shows a code message as it is sent now, for the brand Acme')
    .argument('[language]', 'BCP 47, like de or pt-BR; used when a send specifies none')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((asked: string | undefined, options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const locale = asked === undefined ? undefined : languageIn(asked)
        if (asked !== undefined && locale === undefined)
          throw new Refusal('This is no language as BCP 47 writes it, like de or pt-BR.')
        const text = writeCodeText({ ...example, locale }, await admin.wordings.find(id))
        print(options, { text }, text)
      }),
    )
}

function writtenIn(value: unknown): WrittenWording | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { default: locale, domain, ...texts } = value as Record<string, unknown>
  return { default: locale, domain, texts }
}
