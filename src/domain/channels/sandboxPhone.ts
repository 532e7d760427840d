/** The sandbox phones of an account: what they got, as those see it who build with it. */
import { leastUlid, type Runtime } from '../../kit/runtime.ts'
import { listSandboxPhones, listSandboxTexts, type SandboxPhone } from '../../store/channels/sandboxMessage.ts'
import type { Commit } from '../../store/engine/commit.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { messageIdPrefix } from '../sending/messageId.ts'

export interface SandboxText {
  /** Of the message. */
  id: string
  text: string
  at: Date
}

export interface SandboxPhones {
  /** Those that the latest thousand messages went to, the latest first. @throws Forbidden */
  list: (actor: Actor, accountId: string) => Promise<SandboxPhone[]>
  /** The latest hundred that one got, the latest first. @throws Forbidden */
  texts: (actor: Actor, accountId: string, phone: string) => Promise<SandboxText[]>
}

const looksMax = 1000
const textsMax = 100
/** Longer than a sandbox message is under way. */
const aheadMs = 24 * 3600 * 1000

export interface SandboxPhoneParts {
  commit: Pick<Commit, 'reader'>
  runtime: Pick<Runtime, 'now'>
  sandboxLive: boolean
}

export function createSandboxPhones({ commit: { reader }, runtime, sandboxLive }: SandboxPhoneParts): SandboxPhones {
  return {
    list: async (actor, accountId) => {
      requireRole(actor, 'developer', accountId)
      const now = runtime.now()
      const belowId = `${messageIdPrefix}${leastUlid(new Date(now.getTime() + aheadMs))}`
      return listSandboxPhones(reader, { accountId, belowId, now, looksMax, sandboxLive })
    },
    texts: async (actor, accountId, phone) => {
      requireRole(actor, 'developer', accountId)
      return listSandboxTexts(reader, { accountId, phone, now: runtime.now(), count: textsMax, sandboxLive })
    },
  }
}
