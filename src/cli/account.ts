import { table } from '../kit/terminal.ts'
import type { AccountRow } from '../store/access/account.ts'
import { type AddCommands, command, type Output, print } from './shell.ts'

export const addAccounts: AddCommands = (program, { administer }) => {
  const accounts = program.command('accounts').description('each has its own keys, templates and messages')

  command(accounts, 'create', 'makes an account')
    .argument('<name>', '1 to 64 letters, digits, spaces, ".", "_" and "-"')
    .action((name: string, options: Output) =>
      administer(async (admin) => {
        const made = accountJson(await admin.accounts.create(name))
        print(options, made, `Made the account "${made.name}" (${made.id}).`)
      }),
    )

  command(accounts, 'list', 'lists the accounts').action((options: Output) =>
    administer(async (admin) => {
      const found = (await admin.accounts.list()).map(accountJson)
      print(options, found, table(found))
    }),
  )
}

function accountJson({ id, name, createdAt }: AccountRow) {
  return { id, name, created_at: createdAt.toISOString() }
}
