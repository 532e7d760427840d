/** What a deployment might lie about, and which checks have to say so. */
import { operationFacts } from '../../src/contract/document.ts'
import type { Lie, Passing } from './lyingProxy.ts'

export const everyAnswer = (operation: string) =>
  `every answer: ${operation}: every answer is as the contract has it, with no field and no header beside`

export interface LieCase {
  what: string
  /** Made again for a run: it may remember. */
  lie: () => Lie
  /** Exactly these fail. */
  fails: string[]
}

const paths = {
  send: '/v1/verify/send',
  check: '/v1/verify/check',
  cancel: '/v1/verify/cancel',
  confirm: '/v1/verify/confirm',
  read: '/v1/messages/',
  list: '/v1/messages',
}

const isTo = (passing: Passing, operation: keyof typeof paths, status = 200) =>
  isBelow(passing.path, paths[operation]) && passing.status === status

/** Whether it is that path, has a query besides, or an id behind it. */
const isBelow = (path: string, above: string) => path.startsWith(above) && !path.startsWith(`${above}-`)

/** A lie that is told only of the second answer and later ones about a message that was sent to such a number. */
function ofMessagesTo(prefix: string, change: (data: Data, reads: number) => void): () => Lie {
  return () => {
    const reads = new Map<unknown, number>()
    return (passing) => {
      const { asked, body } = passing
      if (isTo(passing, 'send') && String(asked.phone).startsWith(prefix)) reads.set(body.data.request_id, 0)
      const count = isTo(passing, 'read') ? reads.get(body.data.id) : undefined
      if (count === undefined) return
      reads.set(body.data.id, count + 1)
      change(body.data, count + 1)
    }
  }
}
type Data = Passing['body']['data']

const verified = ({ body }: Passing) => {
  const { timestamp } = body.data
  body.data = { verified: true, result: 'verified', timestamp }
}

export const lies: LieCase[] = [
  {
    what: 'a contract without an operation',
    lie: () => (passing) => {
      if (passing.path === '/openapi.json')
        delete (passing.body as unknown as { paths: Data }).paths['/v1/messages/{id}']
    },
    fails: ['contract: the contract that it publishes keeps what this one promises'],
  },
  {
    what: 'a method that is not there, answered 404',
    lie: () => (passing) => {
      if (passing.method !== 'DELETE' || passing.path !== '/v1/verify/send') return
      passing.status = 404
      passing.body.data.code = 'route_not_found'
    },
    fails: [
      'contract: /v1/verify/send: a method that the contract does not have is answered 405, with those that it has in Allow',
    ],
  },
  {
    what: 'a message that is not there, answered 200',
    lie: () => (passing) => {
      if (!isTo(passing, 'read', 404)) return
      const [id, timestamp] = [passing.path.split('/').at(-1), '2026-11-21T09:30:00.000Z']
      passing.status = 200
      passing.body = { success: true, data: { id, status: 'sent', timestamp } }
    },
    fails: ['answers: getMessage 404 message_not_found'],
  },
  {
    what: 'the code of another error',
    lie:
      () =>
      ({ body }) => {
        if (body.data?.code === 'invalid_json') body.data.code = 'invalid_request'
      },
    fails: operationFacts
      .filter(({ takesBody }) => takesBody)
      .map(({ operationId }) => `answers: ${operationId} 400 invalid_json`),
  },
  {
    what: 'a field that is not documented',
    lie: () => (passing) => {
      if (isTo(passing, 'read')) passing.body.data.phone = '+14155550100'
    },
    fails: [everyAnswer('getMessage')],
  },
  {
    what: 'a header that is not documented',
    lie: () => (passing) => {
      if (isTo(passing, 'check', 404)) passing.headers.set('X-Powered-By', 'Express')
    },
    fails: [everyAnswer('checkVerification')],
  },
  {
    what: 'a status that is not documented',
    lie: () => (passing) => {
      if (isTo(passing, 'send', 415)) passing.status = 406
    },
    fails: ['answers: sendVerification 415 unsupported_media_type', everyAnswer('sendVerification')],
  },
  {
    what: 'a 401 without WWW-Authenticate',
    lie: () => (passing) => {
      if (isTo(passing, 'read', 401)) passing.headers.delete('WWW-Authenticate')
    },
    fails: [everyAnswer('getMessage')],
  },
  {
    what: 'another trace_id than that of the header',
    lie: () => (passing) => {
      if (isTo(passing, 'send', 409)) passing.body.data.trace_id = 'f'.repeat(32)
    },
    fails: [everyAnswer('sendVerification')],
  },
  {
    what: 'a limit without Retry-After',
    lie: () => (passing) => {
      if (isTo(passing, 'send', 429)) passing.headers.delete('Retry-After')
    },
    fails: [everyAnswer('sendVerification')],
  },
  {
    what: 'a status that goes backwards',
    lie: ofMessagesTo('+1415555010', (data, reads) => {
      if (reads > 3) data.status = 'sent'
    }),
    fails: ['statuses: +14155550100 and its like: delivered'],
  },
  {
    what: 'delivered before its time',
    lie: ofMessagesTo('+1415555014', (data) => {
      data.status = 'delivered'
    }),
    fails: ['statuses: +14155550140 and its like: delivered after 5 seconds'],
  },
  {
    what: 'another reason for a failure',
    lie: ofMessagesTo('+1415555012', (data) => {
      if (data.error) (data.error as Data).code = 'rejected_by_channel'
    }),
    fails: ['statuses: +14155550120 and its like: failed with not_on_channel'],
  },
  {
    what: 'a temporary error told as the end',
    lie: ofMessagesTo('+1415555015', (data, reads) => {
      if (reads === 1) data.status = 'expired'
    }),
    fails: ['statuses: +14155550150 and its like: two temporary errors, then delivered'],
  },
  {
    what: 'attempts that do not count down',
    lie: () => (passing) => {
      const { data } = passing.body
      if (isTo(passing, 'check') && data.attempts_remaining === 3) data.attempts_remaining = 4
    },
    fails: [
      'codes: a code of 6 digits is refused 5 times, each time with one attempt less, then for good',
      'repeats: 20 checks at once with one key count as one attempt',
      'at once: 20 wrong codes of 6 digits at once are compared 5 times',
    ],
  },
  {
    what: 'one attempt more when guesses come at once',
    lie: () => {
      const compared = new Set<unknown>()
      return (passing) => {
        const { asked, abreast, body } = passing
        if (!isTo(passing, 'check') || asked.code !== '1111' || abreast < 2) return
        if (body.data.reason !== 'attempts_exhausted' || compared.has(asked.request_id)) return
        compared.add(asked.request_id)
        body.data = { ...body.data, reason: 'incorrect_code', attempts_remaining: 1 }
      }
    },
    fails: ['at once: 20 wrong codes of 4 digits at once are compared 3 times'],
  },
  {
    what: 'verified twice',
    lie: () => (passing) => {
      const { asked, body } = passing
      if (isTo(passing, 'check') && body.data.reason === 'already_verified' && asked.code === '000000')
        verified(passing)
    },
    fails: [
      'answers: checkVerification 200 already_verified',
      'codes: a right code works once',
      'at once: 20 right codes at once verify once',
    ],
  },
  {
    what: 'verified twice when checks come at once',
    lie: () => (passing) => {
      const { abreast, body } = passing
      if (isTo(passing, 'check') && body.data.reason === 'already_verified' && abreast > 10) verified(passing)
    },
    fails: ['at once: 20 right codes at once verify once'],
  },
  {
    what: 'a code that outlives the next send',
    lie: () => (passing) => {
      if (isTo(passing, 'check') && passing.body.data.reason === 'superseded') verified(passing)
    },
    fails: [
      'answers: checkVerification 200 superseded',
      'codes: a new send ends the code before it, and its own code works',
      'at once: of 8 sends at once to a number, one code is good afterwards',
    ],
  },
  {
    what: 'a repeat that is not marked',
    lie: () => (passing) => {
      if (passing.path === '/v1/notifications/send') passing.headers.delete('Idempotent-Replayed')
    },
    fails: ['repeats: sendNotification: the same key and body get the first answer, byte for byte, marked as a repeat'],
  },
  {
    what: 'a repeat with another answer',
    lie: () => (passing) => {
      if (isTo(passing, 'check', 404) && passing.headers.has('Idempotent-Replayed'))
        passing.body.data.trace_id = 'f'.repeat(32)
    },
    fails: ['repeats: an error that would come again is kept too'],
  },
  {
    what: 'a refusal for now that is kept',
    lie: () => (passing) => {
      if (isTo(passing, 'send', 429)) passing.headers.set('Idempotent-Replayed', 'true')
    },
    fails: ['repeats: a refusal for now is not kept'],
  },
  {
    what: 'two messages for one key',
    lie: () => {
      const sends = new Map<unknown, number>()
      return (passing) => {
        const { data } = passing.body
        if (!isBelow(passing.path, paths.send)) return
        const before = sends.get(passing.asked.phone) ?? 0
        sends.set(passing.asked.phone, before + 1)
        // Only of what is sent at once so often; a slow machine may answer its repeats one after the other.
        if (before < 10 || !isTo(passing, 'send') || !passing.headers.has('Idempotent-Replayed')) return
        data.request_id = String(data.request_id).replace(/.$/, (end) => (end === '0' ? '1' : '0'))
      }
    },
    fails: ['repeats: 20 sends at once with one key are one send'],
  },
  {
    what: 'a list that leaves a message out between its pages',
    lie: () => (passing) => {
      const { messages, next } = passing.body.data ?? {}
      if (isTo(passing, 'list') && Array.isArray(messages) && messages.length === 2 && next !== null) messages.pop()
    },
    fails: [
      'lists: the pages have every message of a phone once, the newest first',
      'lists: what is sent while pages are turned moves none of the others',
    ],
  },
  {
    what: 'a list of every kind',
    lie: () => (passing) => {
      const { messages } = passing.body.data ?? {}
      if (isTo(passing, 'list') && passing.search.get('kind') === 'notification') (messages as unknown[]).length = 0
    },
    fails: ['lists: a list is narrowed by kind'],
  },
  {
    what: 'a parameter that may come twice',
    lie: () => (passing) => {
      if (!isTo(passing, 'list', 400) || passing.search.getAll('limit').length < 2) return
      passing.status = 200
      passing.body = { success: true, data: { messages: [], next: null } }
    },
    fails: ['lists: a parameter that comes twice is refused'],
  },
  {
    what: 'confirmed though it was made there',
    lie: () => (passing) => {
      if (!isTo(passing, 'confirm', 404)) return
      passing.status = 200
      const timestamp = '2026-11-21T09:30:00.000Z'
      passing.body = { success: true, data: { request_id: passing.asked.request_id, confirmed: true, timestamp } }
    },
    fails: [
      'answers: confirmVerification 404 verification_not_found',
      'repeats: confirmVerification: the same key and body get the first answer, byte for byte, marked as a repeat',
      'codes: a code that was made there is not confirmed, by its id or by its phone, and is checked all the same',
    ],
  },
  {
    what: 'cancelled twice',
    lie: () => (passing) => {
      if (isTo(passing, 'cancel')) passing.body.data.cancelled = true
    },
    fails: [
      'answers: cancelVerification 200 over',
      'codes: a cancelled verification takes its code no more, and is cancelled once',
      'at once: of cancels and right codes at once, one ends the verification',
    ],
  },
]
