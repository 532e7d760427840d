/** What can go wrong at a provider: by name, and by number as test numbers have it. The page and the docs show the same table. */

export const wireNames = ['whatsapp', 'telegram', 'sms'] as const
export type WireName = (typeof wireNames)[number]

/** What a provider reports of a message. `failed` is WhatsApp's word, `expired` and `revoked` are Telegram's. */
export type Status = 'delivered' | 'read' | 'failed' | 'expired' | 'revoked'

/** What becomes of an answer. `page`: 500 and a page of HTML; `broken`: 200 and half of the JSON. */
export type Fate = 'hangs' | 'resets' | 'page' | 'broken' | 'slow'

/**
 * How a report comes. `early`: before the answer; `crowd`: in one body with 999 others; `misdirected`: at an address with
 * another token.
 */
export type Manner = 'early' | 'twice' | 'forged' | 'stale' | 'anonymous' | 'crowd' | 'misdirected'

export interface Behaviour {
  /** It is not taken. `once`: but the next time it is; `status`: of HTTP, in place of the code's own. */
  refusal?: { code: string; once?: boolean; status?: number }
  fate?: Fate
  /** False where the message is lost with the answer. */
  taken: boolean
  /** Of a message that was taken, one after the other. */
  reports: readonly Status[]
  /** With `failed`. */
  failure?: string
  manner?: Manner
}

/** By the wires that it is about; on the others, all is well. */
export type Fault = Partial<Record<WireName, Behaviour>>

export const well: Behaviour = { taken: true, reports: ['delivered'] }

const notOnWhatsapp = '131026'

const onAll = (behaviour: Behaviour): Fault => ({ whatsapp: behaviour, telegram: behaviour, sms: behaviour })
const lost = (fate: Fate): Fault => onAll({ fate, taken: false, reports: [] })
const refused = (code: string, more: { once?: boolean; status?: number } = {}): Behaviour => ({
  refusal: { code, ...more },
  taken: false,
  reports: [],
})
const reported = (...reports: Status[]): Behaviour => ({ taken: true, reports, failure: notOnWhatsapp })
const failed = (failure: string, ...more: Status[]): Behaviour => ({
  taken: true,
  reports: ['failed', ...more],
  failure,
})

const named: Record<string, Fault> = {
  delivered: onAll(well),
  read: onAll(reported('delivered', 'read')),
  silent: onAll(reported()),
  nowhere: {
    whatsapp: reported('failed'),
    telegram: refused('PHONE_NUMBER_NOT_FOUND'),
    sms: refused('not_on_channel'),
  },
  'not-on-telegram': { telegram: refused('PHONE_NUMBER_NOT_FOUND') },
  'error-in-200': {
    whatsapp: refused(notOnWhatsapp, { status: 200 }),
    telegram: refused('AN_ERROR_NOBODY_DOCUMENTED'),
  },
  'token-refused': { whatsapp: refused('190'), telegram: refused('ACCESS_TOKEN_INVALID'), sms: refused('down') },
  hangs: lost('hangs'),
  resets: lost('resets'),
  'answer-lost': onAll({ ...well, fate: 'resets' }),
  slow: onAll({ ...well, fate: 'slow' }),
  html: lost('page'),
  'broken-json': onAll({ ...well, fate: 'broken' }),
  'early-report': onAll({ ...well, manner: 'early' }),
  'reported-twice': onAll({ ...well, manner: 'twice' }),
  'read-only': { whatsapp: reported('read'), telegram: reported('read') },
  'late-delivered': {
    whatsapp: reported('failed', 'delivered'),
    telegram: reported('expired', 'delivered'),
    sms: failed('unreachable', 'delivered'),
  },
  'wrong-signature': onAll({ ...well, manner: 'forged' }),
  'old-timestamp': { telegram: { ...well, manner: 'stale' }, sms: { ...well, manner: 'stale' } },
  'wrong-token': { sms: { ...well, manner: 'misdirected' } },
  'no-recipient': { whatsapp: { ...well, manner: 'anonymous' } },
  'thousand-reports': { whatsapp: { ...well, manner: 'crowd' } },
  expired: { telegram: reported('expired') },
}

export interface FaultRow {
  /** The first eleven characters of ten numbers; undefined where the fault has none. */
  prefix?: string
  name: string
  does: string
}

const first = '+1415555'
const row = (tens: number, name: string, does: string): FaultRow => ({ prefix: `${first}0${tens}`, name, does })

/** In the order of their numbers. */
export const faultTable: readonly FaultRow[] = [
  row(20, 'delivered', 'taken and delivered, as every number that is not listed'),
  row(21, 'read', 'delivered, then read'),
  row(22, 'silent', 'taken, and nothing is ever reported'),
  row(23, 'failed:131026', 'WhatsApp takes it, then reports that the number is not on WhatsApp'),
  row(24, 'not-on-telegram', 'Telegram says at once that it does not reach the number'),
  row(25, 'nowhere', 'neither on WhatsApp nor on Telegram, and no number for SMS'),
  row(26, 'refused-once:131056', 'WhatsApp refuses each message once: too many to this number'),
  row(27, 'refused:131000', 'WhatsApp answers each time that something went wrong'),
  row(28, 'refused-once:FLOOD_WAIT_30', 'Telegram refuses each message once, for 30 seconds'),
  row(29, 'error-in-200', 'refused in an answer 200: 131026, or an undocumented error of Telegram'),
  row(
    30,
    'token-refused',
    'refused as if the token were wrong: 190, ACCESS_TOKEN_INVALID, or as the SMS provider says it',
  ),
  row(31, 'hangs', 'not taken, and no answer ever comes'),
  row(32, 'resets', 'not taken, and the connection is reset when the request is in'),
  row(33, 'answer-lost', 'taken and delivered, but the connection is reset in place of an answer'),
  row(34, 'slow', 'taken and delivered, but the answer takes 8 seconds'),
  row(35, 'html', 'not taken; answered with 500 and a page of HTML'),
  row(36, 'broken-json', 'taken and delivered, but only half of the answer is there'),
  row(37, 'early-report', 'delivered, which is reported before the answer comes'),
  row(38, 'reported-twice', 'delivered, which is reported twice'),
  row(39, 'read-only', 'read, without a word of being delivered'),
  row(40, 'late-delivered', 'reported failed (Telegram: expired), and then delivered'),
  row(41, 'wrong-signature', 'delivered, but the report has a wrong signature'),
  row(42, 'old-timestamp', 'delivered, but the report of Telegram or by SMS is ten minutes old'),
  row(43, 'no-recipient', 'delivered, but the report of WhatsApp names no recipient'),
  row(44, 'thousand-reports', 'delivered; WhatsApp reports it in one body with 999 others'),
  row(45, 'expired', 'Telegram takes it, then reports it expired and refunded'),
  row(46, 'refused:not_on_channel', 'the SMS provider refuses it: no number for SMS'),
  row(47, 'refused:opted_out', 'the SMS provider refuses it: the person has opted out'),
  row(48, 'refused:country_blocked', 'the SMS provider refuses it: it may not send to that country'),
  row(49, 'refused:rejected_by_channel', 'the SMS provider refuses it for another reason'),
  row(50, 'failed:unreachable', 'the SMS provider takes it, then reports that the phone was not reached'),
  row(51, 'failed:not_on_channel', 'the SMS provider takes it, then reports that there is no such number'),
  row(52, 'refused-once:retry', 'the SMS provider refuses each message once: too fast'),
  row(53, 'wrong-token', 'delivered, but the report of the SMS provider comes to an address with a wrong token'),
  {
    name: 'refused:CODE',
    does: 'refused with a code of the provider: refused:131049, refused:BALANCE_NOT_ENOUGH; by SMS with what it means: refused:opted_out',
  },
  { name: 'refused-once:CODE', does: 'the same, but each message only once' },
  {
    name: 'failed:CODE',
    does: 'WhatsApp or the SMS provider takes it, then reports it failed with that code: failed:131049, failed:unreachable',
  },
]

/** What a right service gets over without its operator, whoever is sent to. */
export const passing: readonly string[] = [
  ...['refused-once:131056', 'refused-once:130429', 'refused-once:131000', 'refused-once:FLOOD_WAIT_1'],
  'refused-once:retry',
  ...['hangs', 'resets', 'answer-lost', 'html', 'broken-json'],
  ...['early-report', 'reported-twice', 'read-only', 'no-recipient', 'thousand-reports'],
]

const byPrefix = new Map(faultTable.map(({ prefix, name }) => [prefix, name]))

/** @param phone in E.164 form */
export function faultNameOf(phone: string): string {
  return (phone.length === 12 && byPrefix.get(phone.slice(0, 11))) || 'delivered'
}

/** @returns undefined when there is no such fault */
export function findFault(name: string): Fault | undefined {
  if (Object.hasOwn(named, name)) return named[name]
  const [, kind, code = ''] = /^(refused|refused-once|failed):(\d{1,9}|[A-Z][A-Z0-9_]{0,63}|[a-z_]+)$/.exec(name) ?? []
  const wire = findWire(code)
  if (kind === undefined || !wire) return undefined
  if (kind === 'failed') return wire === 'telegram' ? undefined : { [wire]: failed(code) }
  return { [wire]: refused(code, kind === 'refused-once' ? { once: true } : {}) }
}

/** What a provider of SMS says with codes of its own, by what it means. */
const meanings: ReadonlySet<string> = new Set([
  ...['not_on_channel', 'opted_out', 'unreachable', 'country_blocked', 'rejected_by_channel'],
  ...['down', 'retry', 'unknown'],
])

/** WhatsApp's codes are numbers, Telegram's are names. */
function findWire(code: string): WireName | undefined {
  if (/^\d/.test(code)) return 'whatsapp'
  if (/^[A-Z]/.test(code)) return 'telegram'
  return meanings.has(code) ? 'sms' : undefined
}
