/** What a channel writes into a message. It holds codes and variables: outside of a channel it exists only sealed. */
import type { MessageKey } from '../../store/sending/message.ts'
import type { Secrets } from '../access/secret.ts'

export type Content = Texted & { to?: string | undefined }

/** `to` above is the number that it goes to, where that is not the one that stands for its phone. */
type Texted =
  | {
      kind: 'verification'
      code: string
      brandName?: string
      /** The language that was asked for, BCP 47. */
      locale?: string
      /** Missing where the standard text is to be sent. */
      text?: string
    }
  | {
      kind: 'notification'
      /** Missing for a text that an inlet brought whole. */
      template?: string | undefined
      variables: Record<string, string>
      /** The template, filled. */
      text: string
      /** What the template says for each kind of connection that needs more than the text. */
      channels: Readonly<Record<string, unknown>>
      /** The only kinds of connections that its caller lets carry it, in order. */
      order?: readonly string[] | undefined
    }

export function sealContent(secrets: Secrets, key: MessageKey, content: Content): Buffer {
  return secrets.seal(JSON.stringify(content), contextOf(key))
}

/** @throws when it was sealed for another message, or under a secret that is gone */
export function openContent(secrets: Secrets, key: MessageKey, sealed: Uint8Array): Content {
  return JSON.parse(secrets.open(sealed, contextOf(key))) as Content
}

function contextOf({ accountId, id }: MessageKey): string {
  return `${accountId}/${id}`
}
