import type { components } from '../../../../generated/types.ts'
import type { Reply } from '../../../contract/operation.ts'
import type { NotificationPreview } from '../../../domain/sending/notifications/preview.ts'
import type { Handler } from '../handler.ts'
import { askedNotification } from './forms/askedNotification.ts'

type Schemas = components['schemas']

export const previewNotification: Handler<'previewNotification', NotificationPreview> = {
  act: ({ body, caller, once }, { preview }) => preview({ caller, once, ...askedNotification(body) }),

  reply: ({ template, refusals, channels }): Reply<'previewNotification'> => ({
    status: 200,
    data: { template, refusals: refusals.map(toRefusal), channels: channels.map(toChannel) },
  }),
}

function toRefusal({
  code,
  message,
  details,
  retryAfterSeconds,
}: NotificationPreview['refusals'][number]): Schemas['PreviewedRefusal'] {
  return {
    ...{ code, message },
    ...(details && { details: [...details] }),
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
  }
}

function toChannel(considered: NotificationPreview['channels'][number]): Schemas['PreviewedChannel'] {
  const { connection: channel, size } = considered
  const kind = considered.kind as Schemas['ChannelKind']
  if ('refused' in considered) return { channel, kind, carries: false, reason: considered.refused }
  if ('text' in considered) return { channel, kind, carries: true, text: considered.text, ...size }
  const { name, language, places } = considered.template
  const filled = places.map(({ name: named, ...place }) => ({ ...place, ...(named !== undefined && { name: named }) }))
  return { channel, kind, carries: true, whatsapp: { name, language, places: filled } }
}
