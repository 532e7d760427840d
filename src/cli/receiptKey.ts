import type { ListedReceiptKey } from '../domain/access/receiptKey.ts'
import { table } from '../kit/terminal.ts'
import { type AddCommands, command, type Output, print } from './shell.ts'

export const addReceipts: AddCommands = (program, { administer }) => {
  const receipts = program.command('receipts').description('manage the keys that sign receipts')

  command(receipts, 'keys', 'lists the keys whose public keys are published').action((options: Output) =>
    administer(async (admin) => {
      const found = (await admin.receiptKeys.list()).map(keyJson)
      print(options, found, table(found))
    }),
  )

  command(receipts, 'rotate', 'starts signing with the next key of each mode, an hour after its publication')
    .option('--leaked', 'distrust all earlier keys: new ones sign at once, and older receipts are rejected')
    .action(({ leaked = false, ...options }: Output & { leaked?: boolean }) =>
      administer(async (admin) => {
        const signing = (await admin.receiptKeys.rotate(leaked)).map(keyJson)
        const lines = signing.map(({ mode, kid, signs_from }) => `${mode}: ${kid} signs from ${signs_from}`)
        const before = leaked
          ? 'The earlier keys are gone. Processes notice within a minute, and services that verify receipts within ten.'
          : 'The earlier keys stay published for one more day.'
        print(options, signing, `${lines.join('\n')}\n${before}`)
      }),
    )
}

function keyJson({ kid, mode, state, madeAt, signsFrom }: ListedReceiptKey) {
  const signs_from = signsFrom?.toISOString() ?? null
  return { kid, mode, state, made_at: madeAt.toISOString(), signs_from }
}
