/** A notification as a body asks for it, to be sent or to be looked at before. */
import type { components } from '../../../../../generated/types.ts'
import type { NotifyInput } from '../../../../domain/sending/notifications/notification.ts'

/** Each field by its name: what a handler does not read, it would ignore. */
export function askedNotification({
  phone,
  template,
  variables,
  locale,
  reference,
  send_at: sendAt,
  expires_in: expiresInSeconds,
  channels,
}: components['schemas']['SendNotificationRequest']): Omit<NotifyInput, 'caller' | 'once'> {
  return { phone, template, variables, locale, reference, sendAt, expiresInSeconds, channels }
}
