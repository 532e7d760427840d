/** What Telegram's refusals are to the service. Its reference names no errors: these are the ones that were seen. */
import type { Outcome } from '../../channel.ts'

export type TelegramRefusal = Exclude<Outcome, { kind: 'sent' }>

const refusals = new Map<string, TelegramRefusal>(
  Object.entries({
    PHONE_NUMBER_INVALID: { kind: 'failed', code: 'rejected_by_channel', reason: 'not a number to Telegram' },
    PHONE_NUMBER_NOT_FOUND: { kind: 'failed', code: 'not_on_channel', reason: 'number not on Telegram' },
    PHONE_NUMBER_NOT_AVAILABLE: { kind: 'failed', code: 'not_on_channel', reason: 'number not on Telegram' },
    ACCESS_TOKEN_INVALID: { kind: 'down', reason: 'token refused' },
    ACCESS_TOKEN_REQUIRED: { kind: 'down', reason: 'token refused' },
    BALANCE_NOT_ENOUGH: { kind: 'down', reason: 'balance used up' },
    // Told of the second call, when the first one was paid for: each further message would cost and not be sent.
    SENDER_USERNAME_INVALID: { kind: 'down', reason: 'sender_username refused' },
    SENDER_NOT_VERIFIED: { kind: 'down', reason: 'sender_username not verified' },
    SENDER_NOT_OWNED: { kind: 'down', reason: 'sender_username is not of this token' },
    CALLBACK_URL_INVALID: { kind: 'down', reason: 'address of the reports refused' },
    REQUEST_ID_INVALID: { kind: 'retry', reason: 'request id refused' },
    // Another code of this phone may be meant as well as this one.
    MESSAGE_ALREADY_SENT: { kind: 'unknown', reason: 'sent already, says Telegram' },
    INTERNAL_ERROR: { kind: 'unknown', reason: 'error inside Telegram' },
  } satisfies Record<string, TelegramRefusal>).map(([name, refusal]) => [name, { ...refusal, providerCode: name }]),
)

const floodWait = /^FLOOD_WAIT(?:_(\d{1,9}))?$/
/** Characters of Telegram's own words that are kept. */
const wordsMax = 200
const waitSecondsMax = 24 * 3600

/** @param token is kept out of the words that are passed on */
export function toTelegramRefusal(error: string, token: string): TelegramRefusal {
  const known = refusals.get(error)
  if (known) return known
  const flood = floodWait.exec(error)
  if (flood) return tooMany('FLOOD_WAIT', flood[1] === undefined ? undefined : Number(flood[1]))
  const words = formatWords(error, token)
  const refusal: TelegramRefusal = { kind: 'failed', code: 'rejected_by_channel', reason: `refused: ${words}` }
  return /^[A-Z_]{1,100}$/.test(words) ? { ...refusal, providerCode: words } : refusal
}

/** @param seconds that Telegram asks to wait, if it says so */
export function tooMany(providerCode: string, seconds: number | undefined): TelegramRefusal {
  const refusal = { kind: 'retry', reason: 'too many at a time', providerCode } as const
  if (seconds === undefined) return refusal
  return { ...refusal, afterSeconds: Math.min(waitSecondsMax, Math.max(1, Math.ceil(seconds))) }
}

/**
 * Word for word, as an operator needs an error that nobody has met: on one line and in ASCII. But every digit is blotted
 * out, because an error may quote the code or the phone, however it sets the digits apart.
 */
function formatWords(error: string, token: string): string {
  const bare = error
    .replaceAll(token, '*')
    .replaceAll(/\d/g, '*')
    .replaceAll(/[^\x20-\x7e]/gu, '?')
  return bare.slice(0, wordsMax)
}
