import type { Command } from 'commander'
import { defaultAccount } from '../../domain/access/account.ts'
import { replay } from '../../domain/protection/replay/replay.ts'
import type { ProtectionRule } from '../../domain/protection/rule.ts'
import { command, lengthOption, type OfAccount, print, type Shell } from '../shell.ts'
import { createProgress } from './progress.ts'
import { replayJson, replayText } from './replayText.ts'
import { readProtection } from './ruleFile.ts'

interface ReplayOptions extends OfAccount {
  since: number
  block?: boolean
}

/** The database is read a page at a time; what is judged, is judged in this process. */
export function addReplay(protection: Command, { administer }: Pick<Shell, 'administer'>): void {
  command(
    protection,
    'replay',
    'replays past live codes against a file of rules, and shows what each would have stopped',
  )
    .argument('<file>', 'YAML: a list of rules')
    .addOption(lengthOption('--since <time>', 'how far back: 14d, 24h', '14d'))
    .option('--block', 'treat every rule as do: block')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((file: string, options: ReplayOptions) =>
      administer(async ({ accounts, replays, now }) => {
        const rules = asAsked((await readProtection(file)).rules, options)
        const { id, name } = await accounts.require(options.account)
        const progress = createProgress(process.stderr, () => performance.now())
        const until = now().getTime()
        const reads = {
          codes: (span: Parameters<typeof replays.codes>[1]) => replays.codes(id, span),
          countryDays: (span: Parameters<typeof replays.countryDays>[1]) => replays.countryDays(id, span),
          verifiedPhones: (span: Parameters<typeof replays.verifiedPhones>[1]) => replays.verifiedPhones(id, span),
        }
        const since = until - options.since * 1000
        const replayed = await replay(reads, { rules, since, until, onProgress: progress.tell })
        progress.end()
        print(options, replayJson(name, replayed), replayText(name, rules, replayed))
      }),
    )
}

function asAsked(rules: ProtectionRule[], { block }: ReplayOptions): ProtectionRule[] {
  return block ? rules.map((rule) => ({ ...rule, do: 'block' })) : rules
}
