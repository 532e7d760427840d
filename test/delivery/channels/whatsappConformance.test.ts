/** The suite on WhatsApp. */
import { createHmac } from 'node:crypto'
import { createWhatsappKind } from '../../../src/delivery/channels/whatsapp/whatsapp.ts'
import { localGuard } from '../../support/guard.ts'
import type { Told } from './conformance/scene.ts'
import { describeChannel } from './conformance.ts'

const whatsapp = createWhatsappKind({ guard: localGuard })

const phone_number_id = '106540352242922'

describeChannel({
  name: 'whatsapp',
  kind: whatsapp,
  entry: (base_url, secret) => ({
    phone_number_id,
    business_account_id: '102290129340398',
    access_token: `EAAG${secret}`,
    app_secret: [`${secret}New`, `${secret}Old`],
    verify_token: `${secret}Verify`,
    code_template: { name: 'auth_copy_code', language: 'en_US' },
    base_url,
  }),
  provider: {
    beside: ['check'],
    taken: () => ({ status: 200, body: JSON.stringify({ messages: [{ id: 'wamid.A', message_status: 'accepted' }] }) }),
    refused: (message) => ({ status: 400, body: JSON.stringify({ error: { code: 131026, message, title: message } }) }),
  },
  sign: (body, secret) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', `${secret}Old`).update(body).digest('hex')}`,
  }),
  bodies: (told) => [
    {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '102290129340398',
          changes: [{ field: 'messages', value: { metadata: { phone_number_id }, statuses: told.map(buildStatus) } }],
        },
      ],
    },
  ],
})

function buildStatus({ accountId, id, leg, providerMessageId, status, at }: Told) {
  return {
    id: providerMessageId,
    status,
    timestamp: String(at.getTime() / 1000),
    biz_opaque_callback_data: `${accountId}/${id}/${leg}`,
    ...(status === 'failed' && { errors: [{ code: 131026, title: 'Message undeliverable' }] }),
  }
}
