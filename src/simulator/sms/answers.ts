/** What a simulated provider answers: the examples of its file. */
import { randomUUID } from 'node:crypto'
import type { ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { readXml, writeXml } from '../../mapping/xml.ts'
import type { Reply } from '../reply.ts'
import { firstOf, putAt } from './pointer.ts'
import { settingIn } from './secrets.ts'

export interface Answers {
  /** An id as the provider makes them: of the form of its example, and another one each time. */
  newId: () => string
  taken: (id: string) => Reply
  /** @param what the kind of an outcome, or the code of a failure; where the file has no example of it, it is refused plainly */
  refused: (what: string) => Reply
  /** To the question of `channels check`: the phone is on, and is the one of the settings that were `seen`. */
  probed: (seen: Readonly<Record<string, string>>, now: Date) => Reply
}

type Example = Extract<ProviderFile['examples'][number], { answer: unknown }>

const typeOf = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
}
const balance = 100
const unauthorized = 401

export function createAnswers({ answer, probe, examples }: ProviderFile): Answers {
  const answers = examples.filter((one): one is Example => 'answer' in one)
  const findExample = (what: string) => {
    const fitting = answers.filter(({ is }) => (is.code ?? is.kind) === what)
    // Of what stops a connection, a wrong token is the commonest.
    const plain = answers.find(({ is }) => is.code === 'rejected_by_channel')
    return fitting.find(({ answer: { status } }) => status === unauthorized) ?? fitting[0] ?? plain
  }
  const taken = findExample('sent')
  const idPlace = firstOf(answer.id)

  const toReply = ({ status, headers }: Example['answer'], body: unknown): Reply => {
    const isText = answer.as !== 'xml' && (typeof body === 'string' || answer.as !== 'json')
    return {
      status,
      headers: { 'Content-Type': typeOf[isText ? 'text' : answer.as], ...headers },
      text: formatText(body, answer.as),
    }
  }
  return {
    newId: () => idLike(taken?.is.id ?? ''),
    taken: (id) => {
      const { status = 200, headers = {}, body } = taken?.answer ?? {}
      const read = answer.as === 'xml' && typeof body === 'string' ? readXml(body) : body
      const told = idPlace === undefined || answer.as === 'text' ? body : putAt(read, idPlace, id)
      return toReply({ status, headers }, told)
    },
    refused: (what) => {
      const example = findExample(what)
      if (!example) return { status: 400, value: {} }
      return toReply(example.answer, example.answer.body)
    },
    probed: (seen, now) => {
      const told = probe?.balance === undefined ? {} : putAt({}, probe.balance, balance)
      const value = probe?.heartbeat ? putHeartbeat(probe.heartbeat, seen, { told, now }) : told
      return answer.as === 'xml' ? toReply({ status: 200, headers: {} }, value) : { status: 200, value }
    },
  }
}

type Heartbeat = NonNullable<NonNullable<ProviderFile['probe']>['heartbeat']>

function putHeartbeat(
  { each = '', only = {}, at }: Heartbeat,
  seen: Readonly<Record<string, string>>,
  { told, now }: { told: unknown; now: Date },
): unknown {
  const own = Object.entries(only).map(([pointer, text]) => [pointer, seen[`s.${settingIn(text)}`]] as const)
  const members = [...own, [firstOf(at)!, now.toISOString()] as const]
  const phone = members.reduce<unknown>((one, [pointer, value]) => putAt(one, pointer, value), {})
  return each === '' ? [phone] : putAt(told, each, [phone])
}

function formatText(body: unknown, as: ProviderFile['answer']['as']): string {
  if (typeof body === 'string') return body
  if (as === 'xml') return writeXml(body as Record<string, unknown>) ?? ''
  if (as === 'form') return new URLSearchParams(body as Record<string, string>).toString()
  return JSON.stringify(body ?? {})
}

/** Each letter and digit of the example becomes another one of its sort. */
function idLike(example: string): string {
  if (/^\d{1,40}$/.test(example))
    return `${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`.slice(0, Math.max(10, example.length))
  const prefix = /^[A-Za-z]+(?=_)|^[A-Z]{2}(?=[0-9a-f]{32}$)|^s(?=[0-9a-f]{32}$)/.exec(example)?.[0] ?? ''
  const id = example.includes('-') ? randomUUID() : randomUUID().replaceAll('-', '')
  return prefix === '' ? id : `${prefix}${/_/.test(example) ? '_' : ''}${id}`
}
