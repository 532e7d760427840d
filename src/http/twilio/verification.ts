/** A verification in the words of Twilio. */
import type { components } from '../../../generated/twilio-verify/types.ts'
import { kindsOfChannel, type TwilioChannel } from '../../contract/twilioDocument.ts'
import type { Caller } from '../../domain/access/authentication.ts'
import type { Checked } from '../../domain/sending/checks/verificationAttempt.ts'
import type { Standings } from '../../domain/sending/checks/verificationCheck.ts'
import { messageIdPrefix } from '../../domain/sending/messageId.ts'
import { readPhone } from '../../domain/sending/phones/typedPhone.ts'
import type { Verifications } from '../../domain/sending/verification.ts'
import { accountSidOf, messageIdIn, serviceSidOf, toHex, verificationSidOf } from '../../domain/twilioSid.ts'
import { Problem } from '../../kit/problem.ts'
import { ulidTime } from '../../kit/runtime.ts'

/** What is told of a verification. */
export interface ToldVerification {
  accountId: string
  id: string
  phone: string
  channel: TwilioChannel
  status: components['schemas']['VerificationStatus']
  updatedAt: Date
}

type Found = NonNullable<Awaited<ReturnType<Standings['find']>>>

/** Finds the verification that a path names, by its SID or as the last one of a phone. */
export async function findNamed(
  { find, findByPhone }: Pick<Verifications, 'find' | 'findByPhone'>,
  caller: Caller,
  name: string,
): Promise<Found | undefined> {
  const id = messageIdIn(name)
  if (id !== undefined) return find({ caller, id })
  const phone = readPhone(name)
  if (phone === undefined) return undefined
  const found = await findByPhone({ caller, phone })
  // Named as it was asked for: a phone can have two numbers.
  return found && { ...found, phone }
}

export function toldOf(
  { accountId }: Caller,
  { id, phone, kind }: Found,
  status: ToldVerification['status'],
  updatedAt: Date,
): ToldVerification {
  return { accountId, id, phone, channel: toChannel(kind), status, updatedAt }
}

/** The first channel that stands for the kind; without a kind, the first of all. */
export function toChannel(kind: string | null): TwilioChannel {
  for (const [channel, kinds] of kindsOfChannel) if (kind === null || kinds.has(kind)) return channel as TwilioChannel
  return 'auto'
}

/** The members that a verification and a check of one have alike. */
export function toMembers({ accountId, id, phone, channel, status, updatedAt }: ToldVerification) {
  return {
    sid: verificationSidOf(id),
    service_sid: serviceSidOf(accountId),
    account_sid: accountSidOf(accountId),
    to: phone,
    channel,
    status,
    valid: status === 'approved',
    amount: null,
    payee: null,
    date_created: createdOf(id),
    date_updated: wireTimeOf(updatedAt),
  }
}

export function toVerification(told: ToldVerification): components['schemas']['Verification'] {
  const members = toMembers(told)
  const { sid, service_sid, channel, date_created: time } = members
  return {
    ...members,
    lookup: {},
    send_code_attempts: [{ attempt_sid: `VL${toHex(told.id)}`, channel, time }],
    sna: null,
    url: `/v2/Services/${service_sid}/Verifications/${sid}`,
  }
}

function createdOf(id: string): string {
  return wireTimeOf(ulidTime(id.slice(messageIdPrefix.length)))
}

/** In whole seconds: the libraries for some languages read no other form. */
export function wireTimeOf(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}

/** What is answered where no code was compared: the verification is over, or has no attempts left until its time ends. */
export function findEnd(
  checked: Extract<Checked, { verified: false }>,
  expiresAt: Date,
): Problem<'verification_not_found' | 'check_limit_reached'> {
  if (checked.reason !== 'attempts_exhausted') return new Problem('verification_not_found')
  const seconds = Math.ceil((expiresAt.getTime() - checked.at.getTime()) / 1000)
  return new Problem('check_limit_reached', { retryAfterSeconds: Math.max(1, seconds) })
}
