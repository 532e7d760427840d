import type { ListedReceiptKey } from '../domain/access/receiptKey.ts'
import { table } from '../kit/terminal.ts'
import { type AddCommands, command, type Output, print } from './shell.ts'

export const addReceipts: AddCommands = (program, { administer }) => {
  const receipts = program.command('receipts').description('the keys that sign receipts of verified phones')

  command(receipts, 'keys', 'lists the keys whose public halves are published').action((options: Output) =>
    administer(async (admin) => {
      const found = (await admin.receiptKeys.list()).map(keyJson)
      print(options, found, table(found))
    }),
  )

  command(receipts, 'rotate', 'lets the next key of each mode sign, an hour after it was published').action(
    (options: Output) =>
      administer(async (admin) => {
        const signing = (await admin.receiptKeys.rotate()).map(keyJson)
        const lines = signing.map(({ mode, kid, signs_from }) => `${mode}: ${kid} signs from ${signs_from}`)
        print(options, signing, `${lines.join('\n')}\nThe keys from before stay published for a day more.`)
      }),
  )
}

function keyJson({ kid, mode, state, madeAt, signsFrom }: ListedReceiptKey) {
  const signs_from = signsFrom?.toISOString() ?? null
  return { kid, mode, state, made_at: madeAt.toISOString(), signs_from }
}
