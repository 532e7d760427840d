/** `messages resend`: which notifications it is about, and how it goes on. */
import { resendableDays, resendMax } from '../domain/sending/notifications/resend.ts'
import type { Commands } from '../http/commands/calls.ts'
import { table } from '../kit/terminal.ts'
import { type OfAccount, type Output, print } from './shell.ts'

export interface ResendOptions extends OfAccount {
  template?: string
  error?: string
  channel?: string
  /** Seconds ago. */
  since?: number
  until?: number
  yes?: boolean
}

type Resends = Pick<Commands, 'resends'>
type Filters = Parameters<Commands['resends']['list']>[1]
type Listed = Awaited<ReturnType<Commands['resends']['list']>>[number]

export function toFilters({ template, error: errorCode, channel, since, until }: ResendOptions, now: Date): Filters {
  const ago = (seconds: number | undefined) =>
    seconds === undefined ? undefined : new Date(now.getTime() - seconds * 1000)
  return { template, errorCode, channel, since: ago(since), until: ago(until) }
}

export async function listAll({ resends }: Resends, accountId: string, filters: Filters): Promise<Listed[]> {
  const all: Listed[] = []
  for (;;) {
    const page = await resends.list(accountId, filters, all.at(-1)?.id ?? '')
    all.push(...page)
    if (page.length < resendMax) return all
  }
}

/** What would be sent again. */
export function printPlan(options: Output, list: readonly (Listed | { id: string })[]): void {
  const listed = list.filter((one) => 'template' in one)
  const groups = [
    ...Map.groupBy(listed, ({ template, errorCode, connection, mode }) =>
      JSON.stringify([template, errorCode, connection, mode]),
    ),
  ]
  const rows = groups.map(([key, members]) => {
    const [template, error, channel, mode] = JSON.parse(key)
    return { template, error, channel, mode, messages: members.length }
  })
  const text =
    list.length === 0
      ? `No failed notification can be sent again: their variables are kept for ${resendableDays} days, and only where no provider took the message.`
      : [
          ...(rows.length > 0 ? [table(rows), ''] : []),
          `${counted(list.length)} would be sent again. Nothing was sent: repeat with --yes.`,
        ].join('\n')
  print(options, { would_resend: list.length, groups: rows }, text)
}

interface Done {
  sent: number
  refused: { id: string; reason: string }[]
}

/** What is sent again is not in the next list: after a kill, the same command goes on with the rest. */
export async function resendAll(
  { resends }: Resends,
  accountId: string,
  list: readonly { id: string }[],
): Promise<Done> {
  const done: Done = { sent: 0, refused: [] }
  for (let at = 0; at < list.length; at += resendMax) {
    const ids = list.slice(at, at + resendMax).map(({ id }) => id)
    for (const outcome of await resends.send(accountId, ids)) {
      if ('refused' in outcome) done.refused.push({ id: outcome.id, reason: outcome.refused })
      else done.sent += 1
    }
    process.stderr.write(`${Math.min(at + resendMax, list.length)} of ${list.length}\n`)
  }
  return done
}

export function printDone(options: Output, { sent, refused }: Done): void {
  const lines = refused.map(({ id, reason }) => `${id} was not sent again: ${reason}`)
  print(
    options,
    { resent: sent, refused },
    [...lines, `${counted(sent)} sent again, ${refused.length} refused.`].join('\n'),
  )
}

function counted(count: number): string {
  return count === 1 ? '1 notification' : `${count} notifications`
}
