/**
 * What runs on the checkout and not on the package, by its title, and why: there the service is another process, whose clock goes on
 * while it is asked, and whose worker begins by itself.
 */
const standing = 'compares times to the millisecond, or counts seconds: needs a clock that stands still'
const byHand = 'looks at what was not sent yet: needs a worker that waits until it is told'
const beside = 'changes or reads something within the process'
const cut =
  'wants each event once: a clock that is moved cuts connections to the database, after which events may come twice'
const swept = 'counts or looks right after a sweep: needs one that is done when it is told'

export const leftOut: Readonly<Record<string, string>> = {
  // flows/cancellation, channels
  'takes the right code no more, and is not sent if it was not yet': byHand,
  'counts as delivered when the first connection says so late, after the next one has it too': byHand,
  'of 1,000 statuses is one transaction': byHand,
  'is asked after 5, 15, 30 and 60 seconds and no more, where it was not told where to report to': standing,
  // flows/confirmation, launch
  'is confirmed until it expires, and not from then on': standing,
  'of 150 people who come at once, none is stopped, and a pumper among them is': beside,
  // flows/event, idempotency
  'is told the way of a verification that succeeds': cut,
  'is told that a message failed for good, and its verification with it': cut,
  'is told that a code ran out, whether it had come or not, with the time at which it did': standing,
  'forgets after 24 hours': standing,
  // flows/message, notification, playedAttack
  '013x stays sent, then expires when its code does': standing,
  '014x is delivered after 5 seconds': standing,
  'is not said to have expired when its code was used before a worker came to it': byHand,
  'is found by its account and mode only': byHand,
  'keeps every step with its time, and erases what was written once it is handed over': standing,
  'lets a phone have 60 in an hour, beside its codes, and says truly how long to wait': standing,
  'a replay finds of each recorded send exactly what was found when it was sent': standing,
  // flows/price, receipts
  'a price is on the page of its message, and the overview sums it by channel, country, currency': beside,
  'a report corrects it, on the page and in the sums, and says so in the timeline': byHand,
  'brings a receipt that a reader verifies by the public keys alone': standing,
  'comes again byte for byte with the same Idempotency-Key, also when another key signs by then': beside,
  // flows/protection, ownCode, checkByPhone, messageList
  'lets the repeat with a captcha follow at once, and that send begins the cooldown': standing,
  'records and stops nothing: what it found is with the message, in GET and in the list': beside,
  'replaces the one that is pending, with the cooldown of any send': byHand,
  'is refused for an hour after ten wrong ones, as by request_id': standing,
  'is narrowed by status, as it is now, and by kind': byHand,
  'stays so when a clock goes back: the code verifies nothing, and the message is not sent': standing,
  // flows/optOut, told
  'does not get one that waited for its time': swept,
  'says what each channel made of it, what it costs, and when it was made': standing,
  // flows/schedule
  'goes at once where its time is the last minute': standing,
  'counts on the limits of its phone when it goes, and fails where they are used up': swept,
  'counts on a budget when it goes, and fails where that is spent': swept,
  'is not sent to a phone that has opted out meanwhile': beside,
  'is gone with its phone when that is forgotten': swept,
  'is made once for one Idempotency-Key': swept,
  'go once each, though several workers look for them, and behind codes': beside,
  'is not, when its time has come: the answer says how far it is': swept,
  // flows/sms
  'is tried for as long as it is good, and for 20 seconds at the end, as Vonage takes no less': standing,
  'shows a delivery that only the carrier reports, and asks the next connection all the same': byHand,
  'gets no address where no reports are waited for, and the time begins when it took the code': standing,
  // flows/verification
  'is good until its time is over, and not a moment longer': standing,
  'is superseded by a newer one to the same phone': byHand,
  'let one phone have a code once in 60 seconds, and say truly how long to wait': standing,
  'let a phone have 5 codes in 10 minutes, 10 in an hour and 20 in a day': standing,
  'stop checks of a phone after 10 wrong codes in an hour, whatever request they were for': standing,
  // inlets/inlets
  'is another message when the code, the user or the inlet is another, or two minutes are over': byHand,
  'ends with its two minutes, and then the limits of the phone are told, if they hold': byHand,
  'counts with the codes of its phone: five in ten minutes': standing,
  'goes by no connection that carries codes alone': beside,
  'that comes again while the first is at work is asked to come later, in words of its own': beside,
  'may be one of two while it is replaced, and Supabase may sign with both': beside,
  'keeps the last posts of an inlet, with the message or what was lacking, and nothing of a body': beside,
  'seals the secrets of inlets anew, and what was signed before is still good': beside,
  // inlets/texts
  'is not delivered when its code has run out, and its message is expired': byHand,
  'judge a text and count it as sent, and refuse it in the words of its inlet': beside,
}

const escaped = Object.keys(leftOut).map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
/** Fits the full names of all others. */
export const allButLeftOut = new RegExp(`^(?!.*(?:${escaped.join('|')}))`)
