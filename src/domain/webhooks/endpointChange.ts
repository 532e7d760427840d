/** How somebody changes an endpoint: what the role allows, while nobody else does, and written down. */

import { Refusal } from '../../kit/refusal.ts'
import type { Tx } from '../../store/engine/session.ts'
import { type Endpoint, type EndpointKey, lockEndpoint } from '../../store/webhooks/endpoint.ts'
import type { ActCommit, Note } from '../access/act.ts'
import { type Actor, requireRole, sees } from '../access/actor.ts'

/** @throws Refusal when there is no such endpoint for the actor, Forbidden, and what `work` throws */
export type ChangeEndpoint = <Result>(
  actor: Actor,
  key: EndpointKey,
  act: EndpointAct,
  /** @returns what came of it; `isDone: false` is not written down */
  work: (tx: Tx, row: Endpoint) => Promise<EndpointChange<Result>>,
) => Promise<Result>

export type EndpointAct = `endpoint.${
  | 'added'
  | 'removed'
  | 'rotated'
  | 'revealed'
  | 'enabled'
  | 'disabled'
  | 'replayed'
  | 'tested'}`

export interface EndpointChange<Result> {
  result: Result
  /** True when left out. */
  isDone?: boolean
  /** What else is worth knowing. */
  detail?: Record<string, unknown>
}

export function createChangeEndpoint(commit: ActCommit): ChangeEndpoint {
  return async (actor, key, act, work) => {
    requireSeen(actor, key)
    requireRole(actor, 'developer', key.accountId)
    return commit.as(actor).transaction(async (tx, note) => {
      const row = await lockEndpoint(tx, key)
      if (!row) throw missingEndpoint(key.id)
      const { result, isDone = true, detail } = await work(tx, row)
      if (isDone) await note(noteOf(act, row, detail))
      return result
    })
  }
}

/** @throws Refusal when it is of an account that the actor does not see */
export function requireSeen(actor: Actor, { accountId, id }: EndpointKey): void {
  if (!sees(actor, accountId)) throw missingEndpoint(id)
}

/** Of its URL the host alone: the rest may hold a secret. */
export function noteOf(
  act: EndpointAct,
  { accountId, id, mode, url }: Pick<Endpoint, 'accountId' | 'id' | 'mode' | 'url'>,
  detail: Record<string, unknown> = {},
): Note {
  return { accountId, act, subject: id, detail: { host: new URL(url).host, mode, ...detail } }
}

export function missingEndpoint(id: string): Refusal {
  return new Refusal(`There is no endpoint ${id}.`)
}
