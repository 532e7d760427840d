import { type Command, Option } from 'commander'
import { defaultAccount } from '../domain/access/account.ts'
import { lookUpPhone } from '../domain/sending/phone.ts'
import { keywordCharactersMax } from '../domain/sending/phones/keyword.ts'
import { numberingPlan } from '../domain/sending/phones/numberingPlanDate.ts'
import { phonesAtOnceMax, readPhoneList } from '../domain/sending/phones/phoneList.ts'
import { readTyped } from '../domain/sending/phones/typedPhone.ts'
import { Problem } from '../kit/problem.ts'
import { table, visible } from '../kit/terminal.ts'
import type { OptOutCategory, ReplyKeyword } from '../store/schema/requestSchema.ts'
import { fileRefusal, readText } from './files/yamlFile.ts'
import { type AddCommands, command, type OfAccount, type Output, print } from './shell.ts'

export const addPhones: AddCommands = (program, { config }) => {
  const phones = program.command('phones').description('phone numbers, and the numbering plans of this version')

  command(phones, 'show', 'shows how a number is parsed, and what the numbering plans of this version say about it')
    .argument('<number>', 'as people write it: "+1 (415) 555-0100"')
    .action((typed: string, options: Output) => {
      const { countriesAllowed: countries, phonePrefixesAllowed: prefixes } = config()
      const { phone, fault } = readTyped(typed)
      const found = phone === undefined ? undefined : lookUpPhone(phone, { countries, prefixes })
      const known = found instanceof Problem ? undefined : found
      const refused = found instanceof Problem ? (found.details?.[0]?.message ?? found.message) : undefined
      const json = {
        phone: phone ?? null,
        country: known?.country ?? null,
        number_kind: known?.numberKind.toLowerCase() ?? null,
        sent_to: known !== undefined,
        fault: fault ?? refused ?? null,
        numbering_plan: numberingPlan,
      }
      print(options, json, formatLines(json).join('\n'))
    })
}

/** Of a list of phones. */
const [phonesMax, phonesBytesMax] = [1_000_000, 64 * 2 ** 20]

type OfPhone = OfAccount & { phone: string }

export const addOptOuts: AddCommands = (program, shell) => {
  const { administer } = shell
  const optOuts = program.command('opt-outs').description('manage phones that opted out of notifications')
  const ofPhone = (name: string, description: string) =>
    ofAccount(optOuts, name, description).requiredOption('--phone <number>', 'phone number, like +14155550100')

  ofPhone('remove', 'opts a phone in again, if its owner asked for it')
    .option('--reason <text>', 'reason for the audit log; without a phone number')
    .action((options: OfPhone & { reason?: string }) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        const removed = await admin.optOuts.remove(id, { phone: options.phone, reason: options.reason })
        const text = removed ? `${name} sends notifications to this phone again.` : 'This phone had not opted out.'
        print(options, { removed }, text)
      }),
    )
  ofPhone('add', 'records that a phone opted out')
    .addOption(category())
    .action((options: OfPhone & OfCategory) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        const added = await admin.optOuts.add(id, { phone: options.phone, category: options.category })
        const stopped = `${name} sends no more ${words[options.category]} to this phone.`
        print(options, { added }, added ? stopped : 'This phone had opted out before.')
      }),
    )
  ofPhone('find', 'shows whether a phone opted out, of what, since when and by whom').action((options: OfPhone) =>
    administer(async (admin) => {
      const { id, name } = await admin.accounts.require(options.account)
      const known = await admin.optOuts.find(id, options.phone)
      const { category = null, source = null } = known ?? {}
      const since = known?.since.toISOString() ?? null
      const text = known
        ? `${name} sends no ${words[known.category]} to this phone since ${since} (${source}).`
        : 'This phone has not opted out.'
      print(options, { opted_out: known !== undefined, category, source, since }, text)
    }),
  )
  ofAccount(optOuts, 'import', 'imports a list of phones that opted out, if no line of it is wrong')
    .argument(
      '<file>',
      `one phone on each line, or a table (CSV) with a column "phone"; ${phonesMax.toLocaleString('en')} at most`,
    )
    .addOption(category())
    .action((file: string, options: OfAccount & OfCategory) =>
      administer(async ({ accounts, optOuts: { import: importPhones } }) => {
        const { id, name } = await accounts.require(options.account)
        const { phones, faults } = await readPhoneList(await readText(file, phonesBytesMax), file, phonesMax)
        if (faults.length > 0) throw fileRefusal(file, faults)
        const added = await inParts(phones, (part) => importPhones(id, { phones: part, category: options.category }))
        const stopped = `${name} sends no ${words[options.category]} to these ${phones.length} phones`
        const text = `${stopped}; ${phones.length - added} had opted out before.`
        print(options, { phones: phones.length, added }, text)
      }),
    )
  addReplyKeywords(optOuts, shell)
}

/**
 * Each part in a transaction of its own, with what is done on the error output.
 *
 * @returns how many were new. @throws what `work` throws, after a sentence that says how to go on
 */
async function inParts(phones: readonly string[], work: (part: readonly string[]) => Promise<number>): Promise<number> {
  let added = 0
  for (let at = 0; at < phones.length; at += phonesAtOnceMax) {
    try {
      added += await work(phones.slice(at, at + phonesAtOnceMax))
    } catch (error) {
      if (at > 0)
        process.stderr.write(
          `The first ${at} of ${phones.length} phones have opted out: run the command again for the rest.\n`,
        )
      throw error
    }
    if (phones.length > phonesAtOnceMax)
      process.stderr.write(`${Math.min(at + phonesAtOnceMax, phones.length)} of ${phones.length}\n`)
  }
  return added
}

type OfKeyword = OfAccount & Pick<ReplyKeyword, 'meaning' | 'language'>

const addReplyKeywords: AddCommands = (optOuts, { administer }) => {
  const keywords = optOuts.command('keywords').description("an account's own words like STOP and START, for replies")
  ofAccount(keywords, 'list', 'lists them: the standard ones count besides').action((options: OfAccount) =>
    administer(async (admin) => {
      const { id } = await admin.accounts.require(options.account)
      const list = (await admin.optOuts.listKeywords(id)).map(({ text, ...more }) => ({ keyword: text, ...more }))
      print(options, list, list.length > 0 ? table(list) : 'No keywords of its own: the standard ones count.')
    }),
  )
  ofAccount(keywords, 'add', 'adds a word; a reply is compared without case, accents, spaces and punctuation')
    .argument('<keyword>', `as people write it, like RET or "NO MORE"; ${keywordCharactersMax} characters at most`)
    .addOption(new Option('--meaning <meaning>', 'what it does').choices(['stop', 'start']).makeOptionMandatory())
    .requiredOption('--language <language>', 'BCP 47, like tr or pt-BR')
    .action((text: string, { meaning, language, ...options }: OfKeyword) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        await admin.optOuts.addKeyword(id, { text, meaning, language })
        const does = meaning === 'stop' ? 'opts out' : 'opts in again'
        print(options, { added: true }, `Who answers ${visible(text)} to ${name} ${does}, within five seconds.`)
      }),
    )
  ofAccount(keywords, 'remove', 'removes a word; the standard ones stay')
    .argument('<keyword>', 'in any way of writing it')
    .action((text: string, options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const removed = await admin.optOuts.removeKeyword(id, text)
        print(options, { removed }, removed ? 'Removed. Who opted out by it stays so.' : 'There is no such keyword.')
      }),
    )
}

function ofAccount(optOuts: Command, name: string, description: string): Command {
  return command(optOuts, name, description).option('--account <name>', 'the account (by name)', defaultAccount)
}

interface OfCategory {
  category: OptOutCategory
}

const words: Readonly<Record<OptOutCategory, string>> = { all: 'notifications', marketing: 'marketing' }

function category(): Option {
  return new Option('--category <category>', 'what it opts out of').choices(Object.keys(words)).default('all')
}

interface Shown {
  phone: string | null
  country: string | null
  number_kind: string | null
  fault: string | null
  numbering_plan: typeof numberingPlan
}

function formatLines({ phone, country, number_kind: kind, fault, numbering_plan: plan }: Shown): string[] {
  return [
    `Phone           ${phone ?? 'none'}`,
    `Country         ${country ?? 'none'}`,
    `Kind            ${kind ?? 'unknown'}`,
    `Sent to         ${fault === null ? 'yes' : `no: it ${fault}`}`,
    `Numbering plan  libphonenumber-js ${plan.version}, of ${plan.date}`,
  ]
}
