/** What commands ask of a running service, and how: both sides have it from here. */
import { join, relative } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import type { Actor } from '../../domain/access/actor.ts'
import type { Administration } from '../../domain/administration.ts'
import type { Refusal } from '../../kit/refusal.ts'
import type { Backup } from '../../transfer/transfer.ts'

/** What commands administer, with more functions than they call. */
export interface Administered extends Administration {
  /** Of the whole installation. @throws Forbidden, Refusal when it cannot be written */
  backup: (actor: Actor, ...given: Parameters<Backup>) => ReturnType<Backup>
}

/** The functions that commands call, by what they belong to; the others are not to be had from outside. */
const nouns = {
  accounts: ['create', 'list', 'require', 'set'],
  apiKeys: ['create', 'list', 'revoke', 'roll'],
  receiptKeys: ['list', 'rotate'],
  templates: ['apply', 'list'],
  wordings: ['apply', 'find'],
  protections: ['apply', 'find', 'reset'],
  connections: ['apply', 'export', 'list', 'rotate', 'stranded', 'unreadable'],
  replays: ['codes', 'countryDays', 'verifiedPhones'],
  inlets: ['apply', 'list'],
  users: ['disable', 'enable', 'listAll', 'relink', 'removeAuthenticator', 'require'],
  optOuts: ['add', 'find', 'import', 'remove', 'listKeywords', 'addKeyword', 'removeKeyword'],
  resends: ['list', 'send'],
  invitations: ['make', 'makeForPassword'],
  endpoints: ['add', 'deliveries', 'disable', 'enable', 'list', 'remove', 'replay', 'require', 'rotate', 'test'],
} as const satisfies { [Noun in keyof Administered]?: readonly (keyof Administered[Noun])[] }
const verbs = [
  'check',
  'listProviderTemplates',
  'history',
  'forget',
  'backup',
] as const satisfies (keyof Administered)[]

/** What commands are done with: in a process of their own, or in that of the service. */
export type Commands = Calls & { templates: Pick<Administered['templates'], 'forms'> }

export type Calls = {
  [Noun in keyof typeof nouns]: {
    [Name in Extract<keyof Administered[Noun], (typeof nouns)[Noun][number]>]: Called<Administered[Noun][Name]>
  }
} & { [Name in (typeof verbs)[number]]: Called<Administered[Name]> }

/** A function as commands call it: who they are, is known where it is done. */
type Called<Done> = Done extends (actor: Actor, ...given: infer Given) => infer Result
  ? (...given: Given) => Result
  : never

type Call = (...given: unknown[]) => Promise<unknown>

/** By their names, like `accounts.create`. */
export function createCalls(admin: Administered, actor: Actor): ReadonlyMap<string, Call> {
  const call = (done: unknown): Call => {
    const work = done as (actor: Actor, ...given: unknown[]) => Promise<unknown>
    return (...given) => work(actor, ...given)
  }
  const ofNouns = Object.entries(nouns).flatMap(([noun, names]) =>
    names.map((name) => {
      const owner = admin[noun as keyof typeof nouns] as unknown as Record<string, unknown>
      return [`${noun}.${name}`, call(owner[name])] as const
    }),
  )
  return new Map([...ofNouns, ...verbs.map((name) => [name, call(admin[name])] as const)])
}

/** What commands are done with in this process. */
export function commandsFor(admin: Administered, actor: Actor): Commands {
  const byName = createCalls(admin, actor)
  const calls = callsBy((name, given) => byName.get(name)!(...given))
  return { ...calls, templates: { ...calls.templates, forms: admin.templates.forms } }
}

/** The same functions, done by somebody who is told the name and what is given. */
export function callsBy(ask: (name: string, given: unknown[]) => Promise<unknown>): Calls {
  const asking =
    (name: string): Call =>
    (...given) =>
      ask(name, given)
  const ofNouns = Object.entries(nouns).map(([noun, names]) => [
    noun,
    Object.fromEntries(names.map((name) => [name, asking(`${noun}.${name}`)])),
  ])
  return Object.fromEntries([...ofNouns, ...verbs.map((name) => [name, asking(name)])]) as Calls
}

/** What a service says of itself. Those of another version may call other functions, or give them other things. */
export interface Hello {
  version: string
  /** What templates can say something for. */
  templateForms: Administered['templates']['forms']
  /** Where people reach its dashboard; left out where it has none. */
  dashboardUrl?: string | undefined
  served: Served
}

/** Of a service's settings, what commands show. */
export interface Served {
  /** Where the world reaches the API; undefined when that is not known. */
  publicUrl?: string | undefined
  twilioVerify: boolean
}

export const { version } = manifest

/** What comes of a call. */
export type CallResult =
  | { is: 'done'; value: unknown }
  | ({ is: 'refused' } & Pick<Refusal, 'message' | 'lacks' | 'faults' | 'lines'>)
  | { is: 'failed'; message: string }

/** Of what is given to a call. A file that people write has less. */
export const givenBytesMax = 16 * 1024 * 1024
/** Milliseconds for a call: it may ask providers, or erase much. */
export const callMs = 600_000

/** Bytes of the path of a socket, by the operating system. */
const pathBytesMax = process.platform === 'linux' ? 107 : 103

/**
 * Where the service that has a data folder listens.
 *
 * @returns undefined when it would be longer than a path of a socket can be, also from the folder that this process is in
 */
export function findSocketPath(dataDir: string): string | undefined {
  const path = join(dataDir, 'commands.sock')
  return [path, relative('', path)].find((one) => Buffer.byteLength(one) <= pathBytesMax)
}
