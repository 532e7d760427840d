/**
 * What WhatsApp tells of templates. See developers.facebook.com, WhatsApp Business Platform, webhooks,
 * `message_template_status_update` and `template_category_update`.
 */
import { z } from 'zod'
import type { TemplateNews } from '../../channel.ts'
import { categoryIn, statusIn } from './watch.ts'

const named = { message_template_name: z.string(), message_template_language: z.string() }

const newsForm = z.discriminatedUnion('field', [
  z.object({ field: z.literal('message_template_status_update'), value: z.object({ ...named, event: z.string() }) }),
  z.object({
    field: z.literal('template_category_update'),
    value: z.object({
      ...named,
      new_category: z.string(),
      /** Of a change that is to come: until then, `new_category` is what it is. */
      correct_category: z.string().optional().catch(undefined),
    }),
  }),
])

/** Templates can be sent again after these. All other events say nothing of that. */
const goodEvents = new Set(['APPROVED', 'REINSTATED'])

export function templateNewsIn(change: unknown): TemplateNews | undefined {
  const { data } = newsForm.safeParse(change)
  if (!data) return undefined
  const { message_template_name: name, message_template_language: language } = data.value
  // The documentation has it with a hyphen too.
  const template = { name, language: language.replaceAll('-', '_') }
  if (data.field === 'template_category_update') {
    const { new_category: category, correct_category: later } = data.value
    if (later !== undefined) return undefined
    return { template, word: { category: categoryIn(category), isNewCategory: true } }
  }
  const { event } = data.value
  const status = goodEvents.has(event) ? 'usable' : statusIn(event)
  return status && { template, word: { status } }
}
