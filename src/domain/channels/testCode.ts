/** A code that an owner has sent to a phone of his own, through one connection alone: to see that it works. */
import { Problem } from '../../kit/problem.ts'
import { Refusal } from '../../kit/refusal.ts'
import { leastUlid, type Runtime } from '../../kit/runtime.ts'
import { lockAccount } from '../../store/access/account.ts'
import { countAudit } from '../../store/access/audit.ts'
import { findConnections } from '../../store/channels/connection.ts'
import type { Mode } from '../../store/schema/schema.ts'
import { type ActCommit, auditIdPrefix } from '../access/act.ts'
import { type Actor, requireRole } from '../access/actor.ts'
import { Replay } from '../sending/idempotency.ts'
import { messageIdPrefix } from '../sending/messageId.ts'
import { maskPhone } from '../sending/phone.ts'
import { requirePhone } from '../sending/phones/typedPhone.ts'
import type { Verifications } from '../sending/verification.ts'

export interface TestCodes {
  /** @throws Refusal where there is no such connection */
  require: (actor: Actor, accountId: string, connection: string) => Promise<void>
  /**
   * Makes a message of the account, under the limits of its phone and under one of the account. It is written to the audit
   * before it is sent, also when a limit of the phone then forbids it.
   *
   * @param phone as somebody typed it
   * @returns the message's id
   * @throws Refusal which says why nothing is sent, Forbidden
   */
  send: (actor: Actor, accountId: string, to: { connection: string; phone: string }) => Promise<string>
  /**
   * Sends a code to the sandbox phone, as a test key does: without limits.
   *
   * @param phone as a person typed it
   * @returns the phone in E.164 form
   * @throws Refusal which says why nothing is sent, Forbidden
   */
  sendToSandbox: (actor: Actor, accountId: string, phone: string) => Promise<string>
}

export interface TestCodeParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now' | 'newId'>
  send: Verifications['send']
}

/** For one account: whoever has taken over an owner's browser cannot spend much by it. */
export const testCodesInHour = 10
const hourMs = 3600 * 1000
const act = 'channel.tested'
const codeLength = 6

export function createTestCodes({ commit, runtime, send }: TestCodeParts): TestCodes {
  const requireThere = async (actor: Actor, accountId: string, connection: string) => {
    requireRole(actor, 'owner', accountId)
    const [list = []] = await findConnections(commit.reader, [accountId])
    if (!list.some(({ id }) => id === connection)) throw new Refusal(`There is no channel ${connection}.`)
  }
  const sendCode = async (mode: Mode, accountId: string, code: { id: string; phone: string; through?: string }) => {
    const caller = { accountId, mode, keyId: null }
    const sent = await send({ caller, ...code, length: codeLength, brandName: undefined })
    if (sent instanceof Problem) throw toRefusal(sent, code.through ?? 'The sandbox')
    if (sent instanceof Replay) throw new Error('a request without an Idempotency-Key was answered before')
  }
  return {
    require: requireThere,
    send: async (actor, accountId, { connection, phone: typed }) => {
      await requireThere(actor, accountId, connection)
      const phone = requirePhone(typed)
      const id = `${messageIdPrefix}${runtime.newId()}`
      await commit.as(actor).transaction(async (tx, note) => {
        await lockAccount(tx, accountId)
        const since = `${auditIdPrefix}${leastUlid(new Date(runtime.now().getTime() - hourMs))}`
        if ((await countAudit(tx, { accountId, act, since })) >= testCodesInHour) {
          throw new Refusal(
            `This account has sent ${testCodesInHour} test codes in the last hour. Send the next one later.`,
          )
        }
        await note({ accountId, act, subject: connection, detail: { message: id, phone: maskPhone(phone) } })
      })
      await sendCode('live', accountId, { id, phone, through: connection })
      return id
    },
    sendToSandbox: async (actor, accountId, typed) => {
      requireRole(actor, 'developer', accountId)
      const phone = requirePhone(typed)
      await sendCode('test', accountId, { id: `${messageIdPrefix}${runtime.newId()}`, phone })
      return phone
    },
  }
}

function toRefusal({ code, message, retryAfterSeconds }: Problem, connection: string): Problem | Refusal {
  if (code === 'service_unavailable' || code === 'internal_error') return new Problem(code, { message })
  if (code === 'no_channel')
    return new Refusal(`${connection} is not used for numbers of this country, or for test keys only.`)
  return new Refusal(retryAfterSeconds === undefined ? message : `${message} Try again in ${retryAfterSeconds} s.`)
}
