import { defaultAccount } from '../domain/access/account.ts'
import { lookUpPhone } from '../domain/sending/phone.ts'
import { numberingPlan } from '../domain/sending/phones/numberingPlanDate.ts'
import { readTyped } from '../domain/sending/phones/typedPhone.ts'
import { Problem } from '../kit/problem.ts'
import { readPhones } from './files/phoneList.ts'
import { type AddCommands, command, type OfAccount, type Output, print } from './shell.ts'

export const addPhones: AddCommands = (program, { config }) => {
  const phones = program.command('phones').description('phone numbers, and the numbering plans of this version')

  command(phones, 'show', 'how a number is read, and what the numbering plans of this version say of it')
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
      print(options, json, linesOf(json).join('\n'))
    })
}

export const addOptOuts: AddCommands = (program, { administer }) => {
  const optOuts = program.command('opt-outs').description('phones that get no notifications, because they opted out')

  command(optOuts, 'remove', 'sends notifications to a phone again, which its owner has to want')
    .requiredOption('--phone <number>', 'of the phone, as in +14155550100')
    .option('--account <name>', 'whose notifications', defaultAccount)
    .action((options: OfAccount & { phone: string }) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        const removed = await admin.optOuts.remove(id, options.phone)
        const text = removed ? `${name} sends notifications to this phone again.` : 'This phone had not opted out.'
        print(options, { removed }, text)
      }),
    )
  command(optOuts, 'add', 'sends no more notifications to a phone, whose owner said so')
    .requiredOption('--phone <number>', 'of the phone, as in +14155550100')
    .option('--account <name>', 'whose notifications', defaultAccount)
    .action((options: OfAccount & { phone: string }) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        const added = await admin.optOuts.add(id, options.phone)
        const text = added ? `${name} sends no more notifications to this phone.` : 'This phone had opted out before.'
        print(options, { added }, text)
      }),
    )
  command(optOuts, 'find', 'whether a phone has opted out, who told, and when')
    .requiredOption('--phone <number>', 'of the phone, as in +14155550100')
    .option('--account <name>', 'whose notifications', defaultAccount)
    .action((options: OfAccount & { phone: string }) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        const known = await admin.optOuts.find(id, options.phone)
        const since = known?.since.toISOString()
        const text = known
          ? `${name} sends no notifications to this phone since ${since} (${known.source}).`
          : 'This phone has not opted out.'
        print(options, { opted_out: known !== undefined, source: known?.source ?? null, since: since ?? null }, text)
      }),
    )
  command(optOuts, 'import', 'reads a list of phones that want no notifications: all of it, or nothing')
    .argument('<file>', 'one phone on each line, or a table (CSV) with a column "phone"; 10,000 at most')
    .option('--account <name>', 'whose notifications', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const { id, name } = await admin.accounts.require(options.account)
        const phones = await readPhones(file)
        const added = await admin.optOuts.import(id, phones)
        const before = phones.length - added
        const text = `${name} sends no notifications to these ${phones.length} phones; ${before} had opted out before.`
        print(options, { phones: phones.length, added }, text)
      }),
    )
}

interface Shown {
  phone: string | null
  country: string | null
  number_kind: string | null
  fault: string | null
  numbering_plan: typeof numberingPlan
}

function linesOf({ phone, country, number_kind: kind, fault, numbering_plan: plan }: Shown): string[] {
  return [
    `Phone           ${phone ?? 'none'}`,
    `Country         ${country ?? 'none'}`,
    `Kind            ${kind ?? 'unknown'}`,
    `Sent to         ${fault === null ? 'yes' : `no: it ${fault}`}`,
    `Numbering plan  libphonenumber-js ${plan.version}, of ${plan.date}`,
  ]
}
