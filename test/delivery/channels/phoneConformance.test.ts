/**
 * The suite on the app of a phone. Two others cannot pass all of it: httpSMS signs the address alone, so no byte of its body is proven,
 * and textbee has no place for our name of a message.
 */
import { createHmac } from 'node:crypto'
import { createSmsKind } from '../../../src/delivery/channels/sms/sms.ts'
import { localGuard } from '../../support/guard.ts'
import { describeChannel } from './conformance.ts'

const shipped = {
  kind: createSmsKind({ guard: localGuard }),
  reportToken: (secret: string) => secret.slice(-22),
  notFilledIn: ['provider_file'],
  hasTimes: false,
  tells: ['delivered', 'failed'] as ('delivered' | 'failed')[],
}
const isPost = ({ method }: { method: string }) => method === 'POST'

describeChannel({
  ...shipped,
  name: 'sms by SMS Gate: basic authentication, a signature over body and time',
  entry: (base_url, password) => ({
    ...{ provider: 'smsgate', username: 'sms', base_url },
    ...{ password, signing_key: password },
  }),
  provider: {
    beside: ['check'],
    handsOver: isPost,
    taken: () => ({ status: 202, body: '{"id":"PyDmBQZZXYmyxMwED8Fzy","state":"Pending"}' }),
    refused: (message) => ({ status: 400, body: JSON.stringify({ message }) }),
  },
  sign: (body, secret, now) => {
    const time = String(Math.floor(now.getTime() / 1000))
    return { 'x-timestamp': time, 'x-signature': createHmac('sha256', secret).update(`${body}${time}`).digest('hex') }
  },
  bodies: (told) =>
    told.map(({ id, leg, status }) => ({
      event: `sms:${status}`,
      payload: { messageId: `${id}.${leg}`, ...(status === 'failed' && { reason: 'RESULT_ERROR_NO_SERVICE' }) },
    })),
})
