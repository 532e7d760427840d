/** What Meta's list says of templates that an account uses. */
import type { TemplateWord } from '../../../domain/templates/templateFault.ts'
import type { WatchedCategory } from '../../../store/schema/templateSchema.ts'
import { faultsOfTemplate, type WhatsappCheckParts } from './check.ts'
import { listWholly, type MetaTemplate } from './metaTemplates.ts'
import { templateSettings } from './template.ts'

/** A status that is not here, also one that is not known, stops no message: WhatsApp itself says whether it sends it. */
const statuses: Readonly<Record<string, TemplateWord['status']>> = {
  PAUSED: 'paused',
  DISABLED: 'disabled',
  REJECTED: 'rejected',
  DELETED: 'missing',
  PENDING_DELETION: 'missing',
}

/** @returns undefined for a word that says nothing of whether it is sent */
export function statusIn(word: string): TemplateWord['status'] {
  return Object.hasOwn(statuses, word) ? statuses[word] : undefined
}

export function categoryIn(word: string): WatchedCategory {
  return word === 'UTILITY' ? 'utility' : word === 'MARKETING' ? 'marketing' : 'other'
}

const ofAnother =
  'it has none of the templates of this channel, not even the one for codes: business_account_id may be another one'

/** @param list what templates of the account say for WhatsApp @returns what Meta says of each */
export async function watchTemplates(
  parts: WhatsappCheckParts,
  list: readonly unknown[],
): Promise<{ words: TemplateWord[] } | { unread: string }> {
  const { found, fault } = await listWholly(parts)
  if (!found) return { unread: fault }
  const listed = new Map<string, MetaTemplate>()
  for (const one of found) {
    // Of two that contradict each other, the one that may be sent counts.
    if (listed.get(keyOf(one))?.status !== 'APPROVED') listed.set(keyOf(one), one)
  }
  const { name, language } = parts.codeTemplate
  const all = list.map((said) => templateSettings.safeParse(said).data)
  const named = [...all.flatMap((one) => one ?? []), ...[language].flat().map((one) => ({ name, language: one }))]
  if (!named.some((one) => listed.has(keyOf(one)))) return { unread: ofAnother }
  const words = all.map((settings): TemplateWord => {
    if (!settings) return {}
    const one = listed.get(keyOf(settings))
    if (!one) return { status: 'missing' }
    const misfit = faultsOfTemplate(one, settings)
      .map(({ text }) => text)
      .join('; ')
    const status = statusIn(one.status) ?? 'usable'
    return { status, category: categoryIn(one.category), misfit: misfit === '' ? null : misfit }
  })
  return { words }
}

function keyOf({ name, language }: { name: string; language: string }): string {
  return `${name} ${language}`
}
