/** What a person reads, where a channel has no text of its own. */
import type { Content } from '../domain/sending/content.ts'

export function textOf(content: Content): string {
  if (content.kind === 'notification') return content.text
  return content.brandName ? `Your ${content.brandName} code is ${content.code}` : `Your code is ${content.code}`
}
