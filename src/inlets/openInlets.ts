/** The inlets that this process holds open: looked up by account, at most four seconds behind the database. */

import type { Inlets } from '../domain/inlets/inlet.ts'
import type { InletSettings } from '../domain/inlets/inletEntry.ts'
import { unavailable } from '../kit/problem.ts'
import { createRemembered } from '../kit/remembered.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Verify } from '../mapping/signatures/signature.ts'
import type { Commit } from '../store/engine/commit.ts'
import { findInlets, type InletKey, type InletRow, listAccountsWithInlets } from '../store/inlets/inlet.ts'
import type { Mode } from '../store/schema/columns.ts'
import { compileAnswers } from './answer.ts'
import { createProof, createSignedAt } from './auth.ts'
import { inletKind } from './shipped.ts'
import { compileTake, type Take } from './take.ts'

export interface OpenInlet extends InletKey {
  mode: Mode
  settings: InletSettings
  /** Phones may come without their plus. */
  isPlusImplied: boolean
  /** Whether a post is from who has the secret. */
  verify: Verify
  signedAt: ReturnType<typeof createSignedAt>
  take: Take
  answerTo: ReturnType<typeof compileAnswers>
}

export interface OpenInlets {
  /**
   * Anybody may ask. Accounts that do not exist cost a bounded number of questions to the database.
   *
   * @throws Problem `service_unavailable` when more is asked; what the database throws
   */
  find: (key: InletKey) => Promise<OpenInlet | undefined>
  /** Whether an account has inlets, without a question to the database for each account that somebody names. */
  hasAny: (accountId: string) => Promise<boolean>
  /** Looks again at the next call: this process has changed the list. */
  forget: (accountId: string) => void
}

export interface OpenInletsParts {
  commit: Pick<Commit, 'shareReads'>
  open: Inlets['open']
  publicUrl: string | undefined
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'log'>
}

const accountsMax = 10_000
/** Accounts that are looked up at once, when a stranger names another. */
const strangersMax = 64
/** Milliseconds that a list of all accounts with inlets is used. */
const listMs = 2000
const listedMax = 100_000

export function createOpenInlets(parts: OpenInletsParts): OpenInlets {
  const { commit, runtime } = parts
  const lists = createRemembered<InletRow[], OpenInlet[]>({
    now: runtime.elapsedMs,
    keysMax: accountsMax,
    read: commit.shareReads<string, InletRow[]>({ work: findInlets }),
    keep: (rows, _accountId, before = []) => {
      const opened = rows.flatMap((row) => before.find((one) => isSame(one, row)) ?? openInlet(row, parts) ?? [])
      return opened.length > 0 ? opened : undefined
    },
  })
  const list = commit.shareReads<undefined, ReadonlySet<string>>({
    work: async (reader, drafts) => {
      const accounts = new Set(await listAccountsWithInlets(reader, listedMax))
      return drafts.map(() => accounts)
    },
  })
  const listed = createRemembered<ReadonlySet<string>, ReadonlySet<string>>({
    now: runtime.elapsedMs,
    keysMax: 1,
    staleMs: listMs,
    read: () => list(undefined),
    keep: (accounts) => accounts,
  })

  return {
    find: async ({ accountId, id }) => {
      const isKnown = lists.last(accountId) !== undefined || lists.recent(accountId) !== undefined
      if (!isKnown && lists.reading.size >= strangersMax) throw unavailable()
      return (await lists.get(accountId))?.find((one) => one.id === id)
    },
    hasAny: async (accountId) =>
      lists.last(accountId) !== undefined || ((await listed.get('all'))?.has(accountId) ?? false),
    forget: lists.forget,
  }
}

/** What each was opened from. A row that is written is sealed again, and nothing that is sealed is ever the same twice. */
const openedFrom = new WeakMap<OpenInlet, string>()

function isSame(inlet: OpenInlet, row: InletRow): boolean {
  return inlet.id === row.id && openedFrom.get(inlet) === base64(row.sealed)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** @returns undefined for one that cannot be opened: then it is as if it were not there, and the log says why */
function openInlet(row: InletRow, { open, publicUrl, runtime }: OpenInletsParts): OpenInlet | undefined {
  const { accountId, id, kind, mode, settings, secrets } = open(row)
  const file = inletKind(kind)
  if (!file || !secrets) {
    const why = file ? 'its secrets were encrypted with another WATCHWORD_SECRET' : `this version has no kind ${kind}`
    runtime.log.error({ account_id: accountId, inlet: id, why }, 'an inlet cannot be opened: apply it again')
    return undefined
  }
  const inlet = {
    ...{ accountId, id, mode, settings },
    verify: createProof(file, { secrets, publicUrl, now: runtime.now }),
    signedAt: createSignedAt(file),
    take: compileTake(file, settings.places ?? {}),
    answerTo: compileAnswers(file),
    isPlusImplied: file.phone === 'plus',
  }
  openedFrom.set(inlet, base64(row.sealed))
  return inlet
}
