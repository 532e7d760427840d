import { type Command, Option } from 'commander'
import { defaultAccount } from '../domain/access/account.ts'
import { type Role, roles } from '../domain/access/actor.ts'
import { type Invited, linkOf } from '../domain/people/invitation.ts'
import type { User } from '../domain/people/user.ts'
import { Refusal } from '../kit/refusal.ts'
import { table } from '../kit/terminal.ts'
import { type AddCommands, command, type OfAccount, type Output, print, type Shell } from './shell.ts'

export const addUsers: AddCommands = (program, shell) => {
  const users = program.command('users').description('manage dashboard users')
  addLinks(users, shell)
  addChanges(users, shell)

  command(users, 'list', 'lists the users of all accounts').action((options: Output) =>
    shell.administer(async (admin) => {
      const found = (await admin.users.listAll()).map(userJson)
      print(options, found, table(found))
    }),
  )
}

function addLinks(users: Command, { administer, dashboardUrl }: Shell): void {
  command(users, 'invite', 'creates an invitation to an account')
    .addOption(new Option('--role <role>', 'the role of the user').choices(roles).default('owner'))
    .option('--email <email>', 'only for this email address (default: anyone with the link)')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount & { role: Role; email?: string }) =>
      administer(async (admin) => {
        const { id: accountId } = await admin.accounts.require(options.account)
        const { role, email = null } = options
        const made = await admin.invitations.make({ accountId, role, email })
        const forWhom = made.email === null ? 'anyone with the link' : `only ${made.email}`
        const says = ` It makes ${forWhom} ${role === 'owner' ? 'an' : 'a'} ${role} of the account ${options.account}.`
        printLink(options, made, admin.dashboardUrl, says)
      }),
    )

  command(users, 'reset', 'creates a link to choose a new password')
    .argument('<email>', 'whose')
    .option('--authenticator', 'also removes a lost authenticator')
    .action((email: string, options: Output & { authenticator?: boolean }) =>
      administer(async (admin) => {
        const user = await admin.users.require(email)
        if (options.authenticator && !user.hasAuthenticator) throw new Refusal(`${user.name} has no authenticator.`)
        const made = await admin.invitations.makeForPassword(user)
        // Last: who gets no link, because that is refused or this process ends, keeps it.
        if (options.authenticator) await admin.users.removeAuthenticator(user)
        printLink(options, made, admin.dashboardUrl)
      }),
    )

  /** @param ofService where the service that made it has its dashboard; by the settings, when that is not known */
  function printLink(
    options: Output,
    { id, role, token, expiresAt }: Invited,
    ofService = dashboardUrl(),
    says = '',
  ): void {
    const link = linkOf(ofService, token)
    const ends = expiresAt.toISOString()
    const json = { id, role, link, expires_at: ends }
    print(options, json, `${link}\n\nIt is not shown again. It works once, and until ${ends}.${says}`)
  }
}

function addChanges(users: Command, { administer }: Shell): void {
  command(users, 'disable', 'signs a user out everywhere and blocks sign-in')
    .argument('<email>', 'whose')
    .action((email: string, options: Output) =>
      administer(async (admin) => {
        await admin.users.disable(await admin.users.require(email))
        print(options, { email, disabled: true }, `Disabled ${email}.`)
      }),
    )

  command(users, 'relink', 'lets a user sign in with another company identity that has the same verified email')
    .argument('<email>', 'whose')
    .action((email: string, options: Output) =>
      administer(async (admin) => {
        await admin.users.relink(await admin.users.require(email))
        const text = `${email} is linked to the next identity with this email that the company vouches for.`
        print(options, { email, relinked: true }, text)
      }),
    )

  command(users, 'enable', 'lets a user sign in again')
    .argument('<email>', 'whom')
    .action((email: string, options: Output) =>
      administer(async (admin) => {
        await admin.users.enable(await admin.users.require(email))
        print(options, { email, disabled: false }, `Enabled ${email}.`)
      }),
    )
}

function userJson(user: User & { account: string }) {
  return {
    account: user.account,
    email: user.email,
    name: user.name,
    role: user.role,
    authenticator: user.hasAuthenticator,
    created_at: user.createdAt.toISOString(),
    signed_in_at: user.signedInAt?.toISOString() ?? null,
    disabled_at: user.disabledAt?.toISOString() ?? null,
  }
}
