import type { ListedReceiptKey } from '../domain/access/receiptKey.ts'
import { table } from '../kit/terminal.ts'
import { type AddCommands, command, type Output, print } from './shell.ts'

export const addReceipts: AddCommands = (program, { administer }) => {
  const receipts = program.command('receipts').description('manage the keys that sign receipts')

  command(receipts, 'keys', 'lists the keys whose public halves are published').action((options: Output) =>
    administer(async (admin) => {
      const found = (await admin.receiptKeys.list()).map(keyJson)
      print(options, found, table(found))
    }),
  )

  command(receipts, 'rotate', 'lets the next key of each mode sign, an hour after it was published')
    .option('--leaked', 'trust no key from before: new ones sign at once, and older receipts are not believed any more')
    .action(({ leaked = false, ...options }: Output & { leaked?: boolean }) =>
      administer(async (admin) => {
        const signing = (await admin.receiptKeys.rotate(leaked)).map(keyJson)
        const lines = signing.map(({ mode, kid, signs_from }) => `${mode}: ${kid} signs from ${signs_from}`)
        const before = leaked
          ? 'The keys from before are gone. Every process knows in a minute, and readers in ten.'
          : 'The keys from before stay published for a day more.'
        print(options, signing, `${lines.join('\n')}\n${before}`)
      }),
    )
}

function keyJson({ kid, mode, state, madeAt, signsFrom }: ListedReceiptKey) {
  const signs_from = signsFrom?.toISOString() ?? null
  return { kid, mode, state, made_at: madeAt.toISOString(), signs_from }
}
