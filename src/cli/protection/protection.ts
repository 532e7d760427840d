import { defaultAccount } from '../../domain/access/account.ts'
import type { WrittenBudget } from '../../domain/protection/budget/budget.ts'
import type { FoundProtection } from '../../domain/protection/protection.ts'
import {
  appliedText,
  givenByFile,
  type ProtectionFile,
  unheededText,
  writeProtectionFile,
} from '../../domain/protection/protectionFile.ts'
import { keptRules, type ProtectionRule } from '../../domain/protection/rule.ts'
import { ruleText } from '../../domain/protection/ruleText.ts'
import { Refusal } from '../../kit/refusal.ts'
import { table } from '../../kit/terminal.ts'
import { type AddCommands, command, type OfAccount, type Output, print } from '../shell.ts'
import { addReplay } from './replay.ts'
import { readProtection } from './ruleFile.ts'

interface Shown extends OfAccount {
  yaml?: boolean
}

export const addProtection: AddCommands = (program, shell) => {
  const { administer } = shell
  const protection = program.command('protection').description('manage rules against SMS pumping')

  command(protection, 'apply', 'replaces the rules of an account with those in a file, all or nothing')
    .argument('<file>', 'YAML: a list of rules, or a mapping with rules, budgets and fail')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .option('--reason <text>', 'reason for the audit log, required if rules start to refuse sends')
    .action((file: string, options: OfAccount & { reason?: string }) =>
      administer(async (admin) => {
        const read = await readProtection(file)
        const { id, name: account } = await admin.accounts.require(options.account)
        const applied = await admin.protections.apply(id, givenByFile(read), options.reason).catch(askForReason)
        const { raised, removedBudgets } = applied
        const counts = { rules: read.rules.length, budgets: read.budgets.length }
        const text = `Applied ${fileText(read)}${appliedText(applied)}${counts.rules === 0 ? nothingIsJudged : ''}`
        print(options, { account, ...counts, raised, removed_budgets: removedBudgets }, text)
      }),
    )

  command(protection, 'check', 'checks a file of rules: names all faults with their lines')
    .argument('<file>', 'YAML: a list of rules, or a mapping with rules, budgets and fail')
    .action(async (file: string, options: Output) => {
      const read = await readProtection(file)
      const { rules, budgets } = read
      const counts = acts.map((act) => [act, countOf(rules, act)])
      const facts = { file, rules: rules.length, ...Object.fromEntries(counts), budgets: budgets.length }
      print(options, facts, `${file} is valid. Its rules: ${fileText(read)}`)
    })

  command(protection, 'reset', 'removes the own rules and budgets of an account: the standard list applies again')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id, name: account } = await admin.accounts.require(options.account)
        const reset = await admin.protections.reset(id)
        const text = reset
          ? `${account} has the standard list again, which only records.`
          : `${account} has no list of its own.`
        print(options, { account, reset }, text)
      }),
    )

  command(protection, 'show', 'shows the active rules: those of the account, or the standard list, which only records')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .option('--yaml', 'print a file to edit and apply')
    .action((options: Shown) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const found = await admin.protections.find(id)
        print(options, found.rules, options.yaml ? writeProtectionFile(found).trimEnd() : shownText(found))
      }),
    )

  addReplay(protection, shell)
}

/** @throws what it is given */
function askForReason(error: unknown): never {
  if (error instanceof Refusal && error.lacks === 'reason') {
    throw new Refusal(`${error.message} Say why with --reason.`)
  }
  throw error
}

function shownText({ rules, fail, budgets, isOwn }: FoundProtection): string {
  const from = `${isOwn ? 'The rules of the account' : 'The standard list'}; fail: ${fail}`
  const spending = budgets.length > 0 ? `\n\nBudgets, for a day (UTC)\n${table(budgets.map(budgetLine))}` : ''
  return `${from}\n${table(keptRules(rules).map(ruleLine))}${spending}`
}

const acts = ['record', 'challenge', 'block'] as const

/** What a file has, and what of it is not heeded. */
function fileText(read: ProtectionFile): string {
  return `${countsText(read.rules)}.${budgetsText(read.budgets)}${unheededText(read)}`
}

const nothingIsJudged = ' The list has no rules: no send is checked.'

function countsText(rules: readonly ProtectionRule[]): string {
  return acts.map((act) => `${countOf(rules, act)} ${act}`).join(', ')
}

function countOf(rules: readonly ProtectionRule[], act: ProtectionRule['do']): number {
  return rules.filter((rule) => rule.do === act).length
}

function ruleLine(rule: ProtectionRule) {
  return { id: rule.id, by: rule.by, finds: ruleText(rule), do: rule.do }
}

function budgetsText(budgets: readonly unknown[]): string {
  return budgets.length === 0 ? '' : ` Budgets: ${budgets.length}.`
}

function budgetLine({ id, countries, messages, money }: WrittenBudget) {
  return { id, countries: countries?.join(' ') ?? 'all', messages: messages ?? '', money: money ?? '' }
}
