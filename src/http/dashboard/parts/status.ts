/** What became of something: a colour, a shape and a word, the same everywhere. */
import type { MessageStatus } from '../../../store/schema/schema.ts'
import { type Html, html } from '../../html.ts'

/** The names of `style.css`. */
export type Tone = 'queued' | 'sent' | 'delivered' | 'failed' | 'expired'

const tones: Record<MessageStatus, Tone> = {
  queued: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
  expired: 'expired',
}

export function statusOf(status: MessageStatus): Html {
  return toned(tones[status], status)
}

export function toneOf(status: MessageStatus): Tone {
  return tones[status]
}

/** A word in one of the tones: `toned('failed', 'disabled')`. */
export function toned(tone: Tone, word: string): Html {
  return html`<span class="status ${tone}">${word}</span>`
}
