/** What Meta posts of templates whose status or category has changed: to each address of the app, signed with its secret. */
import type { Posted, Poster } from '../poster.ts'
import { createSignature } from './reports.ts'
import { type Template, toId } from './templates.ts'

export interface TemplateNewsParts {
  appSecret: string
  businessAccountId: string
  /** Where Meta reports to. */
  urls: () => string[]
  poster: Poster
  now: () => Date
}

/** Once, as what is done by hand is. @returns what each address answered */
export type TellTemplate = (before: Template, after: Template) => Promise<Posted[]>

export function createTellTemplate({
  appSecret,
  businessAccountId,
  urls,
  poster,
  now,
}: TemplateNewsParts): TellTemplate {
  const signatureOf = createSignature(appSecret)
  return async (before, after) => {
    const changes = listChanges(before, after)
    const posts = urls().flatMap((url) =>
      changes.map((change) => {
        const entry = [{ id: businessAccountId, time: Math.floor(now().getTime() / 1000), changes: [change] }]
        const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
        return poster.post(url, () => ({ headers: { 'X-Hub-Signature-256': signatureOf(body) }, body }), 1)
      }),
    )
    return Promise.all(posts)
  }
}

function listChanges(before: Template, after: Template): object[] {
  const { name, language, status, category } = after
  const named = {
    message_template_id: Number(toId(`${name} ${language}`)),
    message_template_name: name,
    message_template_language: language,
  }
  const [isOtherStatus, isOtherCategory] = [before.status !== status, before.category !== category]
  return [
    ...(isOtherStatus
      ? [{ field: 'message_template_status_update', value: { event: status, ...named, reason: 'NONE' } }]
      : []),
    ...(isOtherCategory
      ? [
          {
            field: 'template_category_update',
            value: { ...named, previous_category: before.category, new_category: category },
          },
        ]
      : []),
  ]
}
