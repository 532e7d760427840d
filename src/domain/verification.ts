/** Verifications: a code is made and sent. What comes after that is in `verificationCheck.ts`. */
import type { ErrorCodeOf } from '../contract/operation.ts'
import { Problem } from '../problem.ts'
import { findSends, type PhoneKey } from '../store/limit.ts'
import { insertMessages, type NewMessage } from '../store/message.ts'
import type { Tx } from '../store/session.ts'
import { replaceVerifications } from '../store/verification.ts'
import type { Caller } from './authentication.ts'
import { sealContent } from './content.ts'
import type { Addressed, Dispatch } from './dispatch.ts'
import type { Keyed, Outcome } from './idempotency.ts'
import { attemptsAllowed, byMode, type Limits, limitsOf, sendRefused } from './limit.ts'
import { lookUpPhone } from './phone.ts'
import type { FindRoute } from './route.ts'
import { type CheckParts, type Checks, createChecks } from './verificationCheck.ts'

export interface SendPolicy {
  /** Seconds that a code stays valid. */
  codeTtlSeconds: number
  /** ISO 3166-1 alpha-2 codes; undefined allows all. */
  countriesAllowed: ReadonlySet<string> | undefined
  /** What holds for live keys. */
  limits: Limits
  /** Characters that the text of a notification may have. */
  filledCharactersMax: number
  route: FindRoute
}

export interface SendParts extends CheckParts {
  dispatch: Dispatch
  policy: SendPolicy
}

export interface Sent {
  id: string
  expiresInSeconds: number
}

export interface SendInput extends Keyed {
  caller: Caller
  phone: string
  length: number
  brandName: string | undefined
}

export interface Verifications extends Checks {
  /**
   * Makes a code and queues its message.
   *
   * @returns or why not: but for the limits, before anything is asked of the database
   */
  send: (input: SendInput) => Promise<Outcome<Sent, ErrorCodeOf<'sendVerification'>>>
}

export function createVerifications(parts: SendParts): Verifications {
  return { send: createSend(parts), ...createChecks(parts) }
}

function createSend({ idempotency, dispatch, secrets, policy, events, runtime }: SendParts): Verifications['send'] {
  const { codeTtlSeconds, countriesAllowed, limits, route } = policy
  const submit = idempotency.share<ReturnType<typeof draftOf>, Sent, 'resend_cooldown' | 'send_limit_reached'>({
    conflictOf: ({ accountId, mode, phone }) => `${accountId} ${mode} ${phone}`,
    work: async (tx, drafts) => {
      const pending = new Set<string>()
      for (const [mode, list] of byMode(drafts)) {
        for (const id of await replaceVerifications(tx, list, limitsOf(mode, limits).sends)) pending.add(id)
      }
      const made = drafts.filter(({ id }) => pending.has(id))
      const refusals = await refusalsOf(
        tx,
        drafts.filter(({ id }) => !pending.has(id)),
        limits,
      )
      insertMessages(tx, made)
      await dispatch(tx, made.map(firstLegOf))
      return drafts.map(({ id }) => refusals.get(id) ?? { id, expiresInSeconds: codeTtlSeconds })
    },
  })

  return async (input) => {
    const { accountId, mode } = input.caller
    const found = lookUpPhone(input.phone, countriesAllowed)
    if (found instanceof Problem) return idempotency.refuse(input, found)
    const { country } = found
    const finding = route({ accountId, mode, phone: input.phone, country })
    const [way, awaited] = await Promise.all([finding, events.isAwaited(input.caller)])
    const taken = way.verification()
    if ('refused' in taken) return idempotency.refuse(input, refusalBy(taken.refused, limits))
    return submit(draftOf(input, { country, route: taken.connections, awaited }))
  }

  function draftOf(
    { caller, once, phone, length, brandName }: SendInput,
    course: Pick<NewMessage, 'country' | 'route' | 'awaited'>,
  ) {
    const { accountId, mode } = caller
    const at = runtime.now()
    const id = `req_${runtime.newId()}`
    const code = mode === 'test' ? '0'.repeat(length) : runtime.randomDigits(length)
    const { hmac, keyId } = secrets.sign('code', id, code)
    const content = { kind: 'verification' as const, code, ...(brandName !== undefined && { brandName }) }
    return {
      ...{ accountId, mode, phone, id, at, once },
      kind: 'verification' as const,
      status: 'sent' as const,
      ...course,
      codeHmac: hmac,
      codeKeyId: keyId,
      attemptsMax: attemptsAllowed(length),
      content: sealContent(secrets, { accountId, id }, content),
      expiresAt: new Date(at.getTime() + codeTtlSeconds * 1000),
      trace: runtime.tracing.current(),
    }
  }
}

async function refusalsOf(tx: Tx, drafts: (PhoneKey & { id: string; at: Date })[], limits: Limits) {
  const sends = drafts.length > 0 ? await findSends(tx, drafts) : []
  return new Map(
    drafts.map(({ id, mode, at }, index) => {
      const { sends: rules } = limitsOf(mode, limits)
      return [id, sendRefused(rules, sends[index]?.sentAt ?? [], at)]
    }),
  )
}

/** The refusals of a route that pass with time say when. */
function refusalBy<Code extends 'no_channel' | 'resend_cooldown'>(code: Code, limits: Limits): Problem<Code> {
  return new Problem(code, code === 'resend_cooldown' ? { retryAfterSeconds: limits.sends[0]?.seconds ?? 1 } : {})
}

/** Where a new message goes first. */
export function firstLegOf({ accountId, id, mode, route }: NewMessage): Addressed {
  return { accountId, id, mode, leg: 1, connection: route[0]! }
}
