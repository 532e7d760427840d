/** What a channel says of itself, and where its tests play. */
import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { Channel, Kind, Receipt, Report } from '../../../../src/delivery/channel.ts'
import { secretNames } from '../../../../src/domain/channels/connectionField.ts'
import type { Content } from '../../../../src/domain/sending/content.ts'
import {
  type Answer,
  type Asked,
  type Behaviour,
  isHanging,
  type Provider,
  startProvider,
} from '../../../support/provider.ts'
import { type TestRuntime, testRuntime } from '../../../support/runtime.ts'
import { receiptsIn } from '../../../support/told.ts'

export interface ChannelDescription {
  name: string
  kind: Kind
  /** The members of its entry in a list of connections. `secret`, about 40 letters, is in all that is secret of them. */
  entry: (url: string, secret: string) => object
  /** Members of an entry that are no fields of this one. */
  notFilledIn?: string[]
  /** What it carries in the tests; a code when left out. The digits of `code` are in it. */
  content?: Content
  /** Left out when nobody outside of the service is asked. */
  provider?: ProviderDescription
  /** Signs a body as its provider does, which posts it to that address: every header that is needed. */
  sign: (body: Buffer, secret: string, now: Date, url: string) => Report['headers']
  /** The bodies in which its provider reports these, as JSON if they are no text. */
  bodies: (told: Told[]) => (object | string)[]
  /** Its reports are requests by GET: what would be their bodies is the query. */
  isInQuery?: boolean
  /** What proves a report; a secret that both sides know when left out. */
  proof?: 'public key' | 'token'
  /** What the address of its reports ends with, where its kind has a secret there. */
  reportToken?: (secret: string) => string
  /** What it reports; all of them when left out. */
  tells?: Exclude<Receipt['status'], 'sent'>[]
  /** No bodies of its form; what is no JSON when left out. */
  unreadable?: Buffer[]
  /** Its reports say when; true when left out. Otherwise it is now. */
  hasTimes?: boolean
}

export interface ProviderDescription {
  /** Takes what it is asked. */
  taken: (asked: Asked) => Answer
  /** Whether a message leaves with this request; with each one, when left out. */
  handsOver?: (asked: Asked) => boolean
  /** What it can be asked beside, of `besides`, in their order. */
  beside: Beside[]
  /** Refuses with these words, where it has a place for some. */
  refused?: (words: string) => Answer
}

/** What not every channel has: what became of a message, that a code was right, and whether it is configured well. */
export const besides = ['ask', 'confirm', 'check'] as const
export type Beside = (typeof besides)[number]

/** What a provider knows of a message, and what became of it. */
export interface Told {
  accountId: string
  id: string
  leg: number
  providerMessageId: string
  status: Receipt['status']
  at: Date
}

/** Everything that a test of the suite works with. */
export interface Scene {
  runtime: TestRuntime
  provider: Provider
  channel: Channel
  /** The same, and it waits for `hastyMs` only. */
  hasty: Channel
  /** The same kind of channel, with other secrets. */
  stranger: Channel
  /** One more of them; it is closed with the others. */
  open: (changes?: { url?: string; answerMs?: number }) => Channel
  entry: Record<string, unknown>
  /** The channel's report, signed by its provider, whatever is in it. */
  signed: (body: Buffer) => Report
  /** What the channel reads in it. */
  read: (body: Buffer) => Receipt[]
  strangers: (body: Buffer) => Report
  bodies: (told: Told[]) => Buffer[]
  /** What nobody may see. */
  tokens: string[]
  content: Content
}

export const [code, phone] = ['046813', '+14155552671']
const publicUrl = 'https://codes.example'
/** Milliseconds. */
export const hastyMs = 500

const [secret, another] = ['TheSecretOfThisChannelIsMadeOfLettersOnly', 'TheSecretOfAnotherOneIsMadeOfLettersToo']

/** @returns the one that waits for a short time where that is what ends it */
export function channelFor(behaviour: Behaviour, { channel, hasty }: Scene): Channel {
  return isHanging(behaviour) ? hasty : channel
}

/** @param closers gets what ends all that was opened, also when something fails on the way */
export async function setScene(
  {
    kind,
    entry,
    sign,
    bodies,
    isInQuery = false,
    reportToken,
    content = { kind: 'verification', code, brandName: 'Acme' },
  }: ChannelDescription,
  scene: Scene,
  closers: (() => Promise<void>)[],
): Promise<void> {
  const runtime = testRuntime()
  const provider = await startProvider({ status: 200 })
  closers.push(provider.close)
  const openWith = (shared: string, url: string, answerMs?: number): Channel => {
    const channel = kind.open(kind.settings.parse(entry(url, shared)), {
      accountId: 'acct_default',
      connection: 'here',
      publicUrl,
      reportToken: reportToken?.(shared),
      runtime,
      log: runtime.log,
      ...(answerMs !== undefined && { answerMs }),
    })
    closers.push(async () => channel.close?.())
    return channel
  }
  const reportBy = (shared: string, content: Buffer): Report => {
    const path = ['/providers/acct_default/here', reportToken?.(shared) ?? []].flat().join('/')
    const target = isInQuery ? `${path}?${content}` : path
    const body = isInQuery ? Buffer.alloc(0) : content
    const headers = sign(body, shared, runtime.now(), publicUrl + target)
    return { method: isInQuery ? 'GET' : 'POST', target, headers, body }
  }
  const channel = openWith(secret, provider.url)
  const own = entry(provider.url, secret) as Record<string, unknown>
  Object.assign(scene, {
    runtime,
    provider,
    channel,
    hasty: openWith(secret, provider.url, hastyMs),
    stranger: openWith(another, provider.url),
    open: ({ url = provider.url, answerMs } = {}) => openWith(secret, url, answerMs),
    entry: own,
    signed: (body) => reportBy(secret, body),
    read: (content) => {
      const { body, target } = reportBy(secret, content)
      return receiptsIn(channel.parse(body, target))
    },
    strangers: (body) => reportBy(another, body),
    bodies: (told) => bodies(told).map((one) => Buffer.from(typeof one === 'string' ? one : JSON.stringify(one))),
    tokens: secretNames(kind.fields(own))
      .flatMap((name) => own[name] ?? [])
      .map(String),
    content,
  } satisfies Scene)
}

/** No code, phone or token is in there, in the errors' hidden corners either. */
export function expectSilent(shown: unknown[], { tokens }: Pick<Scene, 'tokens'>): void {
  const text = inspect(shown, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })
  for (const hidden of [code, phone.slice(1), secret, ...tokens]) expect(text.includes(hidden)).toBe(false)
}
