import { isIP } from 'node:net'
import { type Accounts, defaultAccount } from '../domain/access/account.ts'
import { cooldownOf, liveLimits } from '../domain/sending/limit.ts'
import { accountSidOf, serviceSidOf } from '../domain/twilioSid.ts'
import { table } from '../kit/terminal.ts'
import type { AccountRow } from '../store/access/account.ts'
import { type AddCommands, command, type OfAccount, type Output, print, secondsLike } from './shell.ts'

export const addAccounts: AddCommands = (program, { administer }) => {
  const accounts = program
    .command('accounts')
    .description('manage accounts (each has its own keys, templates and messages)')

  command(accounts, 'create', 'creates an account')
    .argument('<name>', '1 to 64 letters, digits, spaces, ".", "_" and "-"')
    .action((name: string, options: Output) =>
      administer(async (admin) => {
        const made = accountJson(await admin.accounts.create(name))
        print(options, made, `Made the account "${made.name}" (${made.id}).`)
      }),
    )

  command(accounts, 'brand', 'sets the default application name in codes')
    .argument('[brand]', 'up to 30 characters; default: none')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((brand: string | undefined, options: OfAccount) => set(options, { brand: brand ?? null }))

  command(accounts, 'cooldown', 'sets how long to wait between two codes to one phone')
    .argument('[length]', 'from 30s to 10m; default: 1m', secondsLike('30s, 2m or 10m'))
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((length: number | undefined, options: OfAccount) => set(options, { cooldownSeconds: length ?? null }))

  const set = (options: OfAccount, changes: Parameters<Accounts['set']>[2]) =>
    administer(async (admin) => {
      const { id } = await admin.accounts.require(options.account)
      const json = accountJson(await admin.accounts.set(id, changes))
      const { name, brand, cooldown_seconds: cooldown } = json
      print(options, json, `${name}: brand ${brand ?? 'none'}, ${cooldown} s between two codes to one phone.`)
    })

  command(accounts, 'list', 'lists the accounts').action((options: Output) =>
    administer(async (admin) => {
      const found = (await admin.accounts.list()).map(accountJson)
      print(options, found, table(found))
    }),
  )
}

function accountJson({ id, name, brand, cooldownSeconds, createdAt }: AccountRow) {
  const cooldown_seconds = cooldownSeconds ?? cooldownOf(liveLimits.sends)!.seconds
  return { id, name, brand, cooldown_seconds, created_at: createdAt.toISOString() }
}

/** By which names programs that are written for Twilio know an account. */
export const addTwilio: AddCommands = (program, { administer }) => {
  const twilio = program.command('twilio').description('use an account from programs written for Twilio Verify')

  command(twilio, 'show', 'prints the SIDs, the base URL and the keys to give such a program')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action(({ account: name, ...options }: OfAccount) =>
      administer(async (admin) => {
        const { twilioVerify: enabled, publicUrl } = admin.served
        const { id, name: account } = await admin.accounts.require(name)
        const now = admin.now()
        const good = (await admin.apiKeys.list()).filter(
          ({ accountId, revokedAt, expiresAt }) => accountId === id && !revokedAt && !(expiresAt && expiresAt <= now),
        )
        const keys = good.map(({ id, name, mode, hint }) => ({ id, name, mode, hint: `${hint}…` }))
        const sids = { account_sid: accountSidOf(id), service_sid: serviceSidOf(id) }
        const json = { account, ...sids, base_url: publicUrl ?? null, enabled, keys }
        print(options, json, formatLines(json).join('\n'))
      }),
    )
}

interface Shown {
  account_sid: string
  service_sid: string
  base_url: string | null
  enabled: boolean
  keys: { name: string; mode: string; hint: string }[]
}

/** Whether the library for node leaves a host as it is: it builds it again from its labels. */
function isKeptByNode(address: string): boolean {
  const { hostname } = new URL(address)
  return isIP(hostname) !== 0 || [1, 3, 4, 5].includes(hostname.split('.').length)
}

function formatLines({ account_sid, service_sid, base_url, enabled, keys }: Shown): string[] {
  return [
    `account SID   ${account_sid}`,
    `service SID   ${service_sid}`,
    `base URL      ${base_url ?? 'the address of the API; PUBLIC_URL is not set'}`,
    `auth token    an API key of this account${keys.length === 0 ? ', which has none: make one with keys create' : ':'}`,
    ...keys.map(({ name, mode, hint }) => `              ${hint} (${mode}, "${name}")`),
    ...(base_url === null || isKeptByNode(base_url)
      ? []
      : [
          '',
          'The library for Node.js would send the key to a different host for this address: see docs/twilio.md. Use another host name.',
        ]),
    ...(enabled ? [] : ['', 'TWILIO_VERIFY is off here: set it to on where the service runs.']),
  ]
}
