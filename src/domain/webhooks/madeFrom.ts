/** The template that a notification was made from, as it was then: what answers and events tell of it. */

export interface MadeFrom {
  slug: string
  /** Null, and the language too, for a message from before these were kept. */
  version: number | null
  locale: string | null
}

export function toldTemplate({ slug, version, locale }: MadeFrom): { slug: string; version?: number; locale?: string } {
  return { slug, ...(version !== null && { version }), ...(locale !== null && { locale }) }
}
