/** What a caller is told of a notification that was taken. */
import type { NewMessage } from '../../../store/sending/message.ts'

export interface SentNotification {
  id: string
  /** What it is made from. */
  template: { slug: string; version: number; locale: string }
}

/** A message that is made from a template. */
export type NewNotification = NewMessage & Required<Pick<NewMessage, 'template' | 'templateVersion' | 'templateLocale'>>

export function sentOf({
  id,
  template: slug,
  templateVersion: version,
  templateLocale: locale,
}: NewNotification): SentNotification {
  return { id, template: { slug, version, locale } }
}
