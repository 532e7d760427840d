import type { Command } from 'commander'
import { defaultAccount } from '../domain/access/account.ts'
import type { History } from '../domain/sending/history.ts'
import { table, visible } from '../kit/terminal.ts'
import { listAll, printDone, printPlan, type ResendOptions, resendAll, toFilters } from './resend.ts'
import { type AddCommands, command, type Output, print, seconds } from './shell.ts'

export const addMessages: AddCommands = (program, { administer }) => {
  const messages = program.command('messages').description('look up messages')

  command(messages, 'show', 'shows the route and the timeline of a message, without its text')
    .argument('<id>', 'id from the API: req_…')
    .action((id: string, options: Output) =>
      administer(async (admin) => {
        const history = await admin.history(id)
        print(options, historyJson(history), historyText(history))
      }),
    )
  addResend(messages)

  function addResend(parent: Command): void {
    command(parent, 'resend', 'resends failed notifications, each once; without --yes, only shows which')
      .argument('[id]', 'only this one: req_…')
      .option('--account <name>', 'the account (by name)', defaultAccount)
      .option('--template <slug>', 'only those of this template')
      .option('--error <code>', 'only those that failed with this error, such as channel_unavailable')
      .option('--channel <id>', 'only those that failed on this channel')
      .option('--since <time>', 'only those that failed within this time: 30m, 24h or 7d', seconds)
      .option('--until <time>', 'only those that failed longer ago than this', seconds)
      .option('--yes', 'send them')
      .action((id: string | undefined, options: ResendOptions) =>
        administer(async (admin) => {
          const account = await admin.accounts.require(options.account)
          const list = id === undefined ? await listAll(admin, account.id, toFilters(options, admin.now())) : [{ id }]
          if (!options.yes) return printPlan(options, list)
          const done = await resendAll(admin, account.id, list)
          printDone(options, done)
          if (done.refused.length > 0) process.exitCode = 1
        }),
      )
  }
}

function historyJson(history: History) {
  return {
    id: history.id,
    account: history.account,
    mode: history.mode,
    kind: history.kind,
    phone: history.phone,
    inlet: history.inlet,
    template: history.template,
    template_version: history.templateVersion,
    template_locale: history.templateLocale,
    reference: history.reference,
    status: history.status,
    status_at: history.statusAt.toISOString(),
    error: history.errorCode,
    created_at: history.createdAt.toISOString(),
    resend_of: history.resendOf,
    resent_as: history.resentAs,
    send_at: history.sendAt?.toISOString() ?? null,
    expires_at: history.expiresAt?.toISOString() ?? null,
    verified_at: history.verifiedAt?.toISOString() ?? null,
    findings: history.findings,
    legs: legsJson(history),
    timeline: stepsJson(history),
  }
}

function historyText(history: History): string {
  const { legs: _legs, timeline: _timeline, ...facts } = historyJson(history)
  const findings = facts.findings?.map(({ rule, did }) => `${rule} (${did})`).join(', ')
  const lines = Object.entries({ ...facts, findings }).map(
    ([name, value]) => `${name.padEnd(16)} ${visible(String(value ?? '-'))}`,
  )
  return [...lines, '', table(legsJson(history)), '', table(stepsJson(history))].join('\n')
}

function legsJson({ legs }: History) {
  return legs.map(({ connection, state, attempts, providerMessageId, price }, index) => ({
    leg: index + 1,
    connection,
    state,
    attempts: attempts ?? null,
    provider_message_id: providerMessageId ?? null,
    price: price?.amount ?? null,
    currency: price?.currency ?? null,
  }))
}

function stepsJson({ timeline }: History) {
  return timeline.map(({ at, status, connection, note, providerCode, segments, price }) => ({
    at,
    status,
    connection: connection ?? null,
    note: note ?? null,
    provider_code: providerCode ?? null,
    sms: segments ?? null,
    price: price?.amount ?? null,
    currency: price?.currency ?? null,
  }))
}
