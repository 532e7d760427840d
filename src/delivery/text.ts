/** What a person reads, where a channel has no text of its own. */
import type { Content } from '../domain/sending/content.ts'
import { standardText } from '../domain/sending/wordings/codeText.ts'

export function textOf(content: Content): string {
  return content.kind === 'notification' ? content.text : (content.text ?? standardText(content))
}
