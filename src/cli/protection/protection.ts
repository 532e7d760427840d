import { defaultAccount } from '../../domain/access/account.ts'
import { protectionFileOf } from '../../domain/protection/protectionFile.ts'
import { type ProtectionRule, ruleList, writtenRule } from '../../domain/protection/rule.ts'
import { ruleText } from '../../domain/protection/ruleText.ts'
import { table } from '../../kit/terminal.ts'
import { type AddCommands, command, type OfAccount, type Output, print } from '../shell.ts'
import { addReplay } from './replay.ts'
import { readProtection } from './ruleFile.ts'

interface Shown extends OfAccount {
  yaml?: boolean
}

export const addProtection: AddCommands = (program, shell) => {
  const { administer } = shell
  const protection = program.command('protection').description('rules against made-up numbers')

  command(protection, 'apply', 'makes the rules of an account those in a file, all or nothing')
    .argument('<file>', 'YAML: a list of rules, or a mapping with rules and fail')
    .option('--account <name>', 'whose they are', defaultAccount)
    .option('--reason <text>', 'why rules are to refuse sends that let them pass until now; it stands in the audit')
    .action((file: string, options: OfAccount & { reason?: string }) =>
      administer(async (admin) => {
        const { rules, fail } = await readProtection(file)
        const { id, name: account } = await admin.accounts.require(options.account)
        const given = { rules: rules.map(writtenRule), fail }
        const { raised } = await admin.protections.apply(id, given, options.reason)
        const refusing = raised.length > 0 ? ` From now on, these refuse sends: ${raised.join(', ')}.` : ''
        print(options, { account, rules: rules.length, raised }, `Applied ${countsText(rules)}.${refusing}`)
      }),
    )

  command(protection, 'check', 'checks a file of rules: names all faults with their lines')
    .argument('<file>', 'YAML: a list of rules, or a mapping with rules and fail')
    .action(async (file: string, options: Output) => {
      const { rules } = await readProtection(file)
      const counts = acts.map((act) => [act, countOf(rules, act)])
      const facts = { file, rules: rules.length, ...Object.fromEntries(counts) }
      print(options, facts, `${file} is good. Its rules: ${countsText(rules)}.`)
    })

  command(protection, 'show', 'shows the rules in force: the standard list, which records, or those of the account')
    .option('--account <name>', 'whose they are', defaultAccount)
    .option('--yaml', 'print a file to edit and apply')
    .action((options: Shown) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const { rules: written, fail, isOwn } = await admin.protections.find(id)
        const rules = ruleList.parse(written)
        const from = `${isOwn ? 'The rules of the account' : 'The standard list'}; fail: ${fail}`
        const text = options.yaml ? protectionFileOf(rules, fail).trimEnd() : `${from}\n${table(rules.map(ruleLine))}`
        print(options, written, text)
      }),
    )

  addReplay(protection, shell)
}

const acts = ['record', 'challenge', 'block'] as const

function countsText(rules: readonly ProtectionRule[]): string {
  return acts.map((act) => `${countOf(rules, act)} ${act}`).join(', ')
}

function countOf(rules: readonly ProtectionRule[], act: ProtectionRule['do']): number {
  return rules.filter((rule) => rule.do === act).length
}

function ruleLine(rule: ProtectionRule) {
  return { id: rule.id, by: rule.by, finds: ruleText(rule), do: rule.do }
}
