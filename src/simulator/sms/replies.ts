/** What a person answers to a message, as a provider hands it on: by the examples and the pointers of its file. */
import { randomUUID } from 'node:crypto'
import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { findBy } from '../../mapping/pointer.ts'
import type { HandOver } from '../phones.ts'
import type { ReplyTo } from '../wire.ts'
import { firstOf, putAt } from './pointer.ts'
import { findStart, type ReportsParts, toPost } from './reports.ts'

type Inbound = NonNullable<ProviderFile['inbound']>

export function createReplyTo({ file, secrets, webhook, poster, now }: ReportsParts): ReplyTo {
  const { report: form, inbound } = file
  return async (message, text) => {
    const address = URL.parse(message.origin ?? webhook() ?? '')
    if (!form || !inbound || !address) return undefined
    // What names a message is for its reports alone.
    address.search = ''
    const { whole, item } = findStart(form, findExample(file))
    const told = whole(fillReply(inbound, item, { message, text, at: now() }))
    return poster.post(address.href, () =>
      toPost(form, secrets, { url: address.href, told, now: now(), forged: false }),
    )
  }
}

function findExample({ examples }: ProviderFile): unknown {
  const found = examples.find((one) => 'report' in one && one.gives.some(({ reply }) => reply !== undefined))
  return found && 'report' in found ? found.report.body : {}
}

function fillReply(
  inbound: Inbound,
  item: unknown,
  { message, text, at: saidAt }: { message: HandOver; text: string; at: Date },
): unknown {
  const { when = {}, id, from, at, flag } = inbound
  const isThere = (pointer: string) => findBy(pointer)(item) !== undefined
  // With the plus or without, as the provider has it in its example.
  const isBare = /^\d/.test(String(findBy(firstOf(from)!)(item) ?? '+'))
  const values: [string | undefined, unknown][] = [
    ...Object.entries(when).map(([pointer, wanted]): [string, unknown] => [pointer, [wanted].flat()[0]]),
    [firstOf(id), randomUUID()],
    [firstOf(from), isBare ? message.phone.slice(1) : message.phone],
    // The keywords of a customer of the provider are not known here; they may be the text itself.
    [flag && isThere(flag.at) ? flag.at : undefined, ''],
    [at && firstOf(at), saidAt.toISOString()],
    [firstOf(inbound.text), text],
  ]
  return values.reduce((told, [pointer, value]) => (pointer === undefined ? told : putAt(told, pointer, value)), item)
}
