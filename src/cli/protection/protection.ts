import { protectionFileOf } from '../../domain/protection/protectionFile.ts'
import { type ProtectionRule, writtenRule } from '../../domain/protection/rule.ts'
import { ruleText } from '../../domain/protection/ruleText.ts'
import { standardList } from '../../domain/protection/standardList.ts'
import { table } from '../../kit/terminal.ts'
import { type AddCommands, command, type Output, print } from '../shell.ts'
import { addReplay } from './replay.ts'
import { readRules } from './ruleFile.ts'

interface Shown extends Output {
  yaml?: boolean
}

export const addProtection: AddCommands = (program, shell) => {
  const protection = program.command('protection').description('rules against made-up numbers')

  command(protection, 'check', 'checks a file of rules: names all faults with their lines')
    .argument('<file>', 'YAML: a list of rules')
    .action(async (file: string, options: Output) => {
      const rules = await readRules(file)
      const acts = (['record', 'challenge', 'block'] as const).map((act) => [act, countOf(rules, act)] as const)
      const counts = acts.map(([act, count]) => `${count} ${act}`).join(', ')
      print(
        options,
        { file, rules: rules.length, ...Object.fromEntries(acts) },
        `${file} is good. Its rules: ${counts}.`,
      )
    })

  command(protection, 'show', 'shows the standard list of rules, which records and stops nothing')
    .option('--yaml', 'print a file to begin with')
    .action((options: Shown) => {
      const text = options.yaml ? protectionFileOf(standardList).trimEnd() : table(standardList.map(ruleLine))
      print(options, standardList.map(writtenRule), text)
    })

  addReplay(protection, shell)
}

function countOf(rules: readonly ProtectionRule[], act: ProtectionRule['do']): number {
  return rules.filter((rule) => rule.do === act).length
}

function ruleLine(rule: ProtectionRule) {
  return { id: rule.id, by: rule.by, finds: ruleText(rule), do: rule.do }
}
