/** What is posted to an inlet becomes a message, once: however often the system that posts tries. */
import { type ErrorCode, type ErrorDetail, Problem } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Mode } from '../../store/schema/columns.ts'
import type { KeptAnswer } from '../../store/sending/idempotency.ts'
import { computeHmac } from '../access/hmac.ts'
import type { BlindIndex } from '../access/keyring.ts'
import { type KeyedOutcome, type Once, Replay } from '../sending/idempotency.ts'
import { readTyped } from '../sending/phones/typedPhone.ts'
import { readPersonAddress, type Signals } from '../sending/signals.ts'
import type { Verifications } from '../sending/verification.ts'
import type { InletSettings } from './inletEntry.ts'
import type { Texts } from './text.ts'

/** The inlet that is posted to. */
export interface PostedTo {
  accountId: string
  id: string
  mode: Mode
  settings: InletSettings
  /** Phones may come without their plus. */
  isPlusImplied: boolean
}

/** What a post says: it has a code of 4 to 10 digits, or a text. */
export interface PostedMessage {
  /** May be anything. */
  phone: string
  code?: string | undefined
  text?: string | undefined
  /** BCP 47. */
  locale?: string | undefined
  /** Of the person who asked for the code. */
  ip?: string | undefined
  user?: string | undefined
  /** Names the piece of work: the same in every try. */
  key?: string | undefined
  /** Undefined where no time is signed. */
  signedAt?: Date | undefined
}

/**
 * Sends what was posted. A repeat does nothing, and has the same outcome: a post with the same key, for 24 hours; where there is no
 * key, one with the same user, phone and content, for two minutes. With a signed time, these two minutes are counted back from
 * it, so a post that somebody has caught is a repeat for as long as its signature is good.
 *
 * @returns its message when it was accepted, or why not
 */
export type SendPosted = (inlet: PostedTo, posted: PostedMessage) => Promise<PostedAs | Problem>

export interface PostedAs {
  /** Of its message; undefined for a repeat of what an earlier version took. */
  id: string | undefined
}

/**
 * Milliseconds for which the same content is a repeat. A system that has no answer tries again within seconds, or a minute; one that
 * keeps its code posts it again when a person asks again, and that person waits for a message.
 */
const sameContentMs = 120_000

export interface PostParts {
  verifications: Pick<Verifications, 'send'>
  texts: Texts
  lookup: Pick<BlindIndex, 'key'>
  runtime: Pick<Runtime, 'now'>
}

export function createSendPosted({ verifications, texts, lookup, runtime }: PostParts): SendPosted {
  return async (inlet, posted) => {
    const { accountId, id, mode, settings } = inlet
    const { code, text = '', locale = settings.locale } = posted
    const { phone, fault } = readTyped(posted.phone, { isPlusImplied: inlet.isPlusImplied })
    if (fault !== undefined) return unread(fault)
    const once = toOnce(inlet, { ...posted, phone }, { lookup, now: runtime.now() })
    const sent = { caller: { accountId, mode, keyId: null }, once, inlet: id, phone, signals: toSignals(posted) }
    const outcome =
      code === undefined
        ? await texts.send({ ...sent, text })
        : await verifications.send({
            ...{ ...sent, code, length: code.length, locale },
            ...{ brandName: settings.brandName, autofill: settings.autofill },
          })
    return toResult(outcome)
  }
}

/** @param fault the end of a sentence, without a digit of what was posted */
function unread(fault: string): Problem<'invalid_phone'> {
  const details = [{ field: '/phone', code: 'wrong_format', message: fault }] as const
  return new Problem('invalid_phone', { message: `This cannot be read as a phone number: it ${fault}.`, details })
}

/** An address that is not valid is left out: the code matters more. */
function toSignals({ ip: from = '', user: userId }: PostedMessage): Signals | undefined {
  const { ip } = readPersonAddress(from)
  return ip === undefined && userId === undefined ? undefined : { ip, userId }
}

/** What is kept is our own outcome, so that what a repeat is answered is made as the first answer was. */
interface Kept {
  code?: ErrorCode
  message?: string
  details?: ErrorDetail[]
  /** Of the message. */
  id?: string | undefined
}

/**
 * Counted back from when the post was signed, and not from when it comes: a post that was caught was taken at about that time. By
 * these two minutes, the clock that it was signed by may be ahead of ours. Signed times are whole seconds.
 */
function computeRepeatMs({ key, signedAt }: PostedMessage, now: Date): number | undefined {
  if (key !== undefined) return undefined
  const ageSeconds = signedAt ? Math.floor((now.getTime() - signedAt.getTime()) / 1000) : 0
  return sameContentMs + Math.max(0, ageSeconds) * 1000
}

function toOnce(
  { accountId, id, mode }: PostedTo,
  posted: PostedMessage,
  { lookup: { key }, now }: Pick<PostParts, 'lookup'> & { now: Date },
): Once {
  const { user = '', phone, code = '', text = '' } = posted
  // Digits and phones are soon guessed: a hash without a secret would hide nothing.
  const name = posted.key === undefined ? ['work', user, phone, code, text] : ['key', posted.key]
  return {
    ...{ accountId, mode, operation: `inlet ${id}` },
    key: computeHmac(key, ['inlet', ...name]).toString('base64url'),
    body: computeHmac(key, ['posted', phone, code, text]),
    repeatMs: computeRepeatMs(posted, now),
    answerTo: (outcome): KeptAnswer => {
      const result = toResult(outcome as KeyedOutcome<{ id: string }>)
      const isRefused = result instanceof Problem
      const kept: Kept = isRefused
        ? { code: result.code, message: result.message, ...(result.details && { details: result.details }) }
        : result
      return { status: isRefused ? result.status : 200, body: JSON.stringify(kept) }
    },
  }
}

function toResult(outcome: KeyedOutcome<{ id: string }>): PostedAs | Problem {
  if (outcome instanceof Problem) return inOwnWords(outcome)
  if (!(outcome instanceof Replay)) return { id: outcome.id }
  const { code, id, ...told } = JSON.parse(outcome.answer.body) as Kept
  return code ? new Problem(code, told) : { id }
}

/** The API's own words name a header that no post has. */
const ownWords: Partial<Record<ErrorCode, string>> = {
  idempotency_key_reused:
    'The key of this post came with another phone, code or text before. Make a new key for each piece of work.',
  idempotency_in_progress: 'The same post came before and is still at work. Repeat yours in a moment.',
}

function inOwnWords(problem: Problem): Problem {
  const { [problem.code]: message } = ownWords
  return message === undefined ? problem : new Problem(problem.code, { message })
}
