/** The templates that Meta has of a business account, as its API tells them. */
import { z } from 'zod'
import type { OutboundAnswer } from '../../../outbound/client.ts'
import { errorForm, findGraphFault, parsed } from './outcome.ts'
import type { ButtonKind } from './template.ts'

/** Of the templates with one name; WhatsApp answers 25 a page. */
const pagesMax = 20
/** Of all: so few on a page that a page is read whole. */
const listing = { limit: '20', pagesMax: 100 } as const
/** Where it has to be known that there are no more: Meta allows a business account 6000, and takes its time. */
const whole = { pagesMax: 300, ms: 60_000 }
/** What is told of each; of a template that has more, the rest is not read. */
const listedFields = 'name,language,status,category,quality_score,parameter_format,components'

export interface GraphParts {
  businessAccountId: string
  /** Asks for a path under the version of the API. */
  get: (path: string) => Promise<OutboundAnswer>
}

const templateForm = z.object({
  name: z.string(),
  language: z.string(),
  status: z.string(),
  category: z.string(),
  quality_score: z
    .object({ score: z.string().max(50) })
    .optional()
    .catch(undefined),
  parameter_format: z.string().optional().catch(undefined),
  message_send_ttl_seconds: z.int().optional().catch(undefined),
  components: z
    .array(
      z.object({
        type: z.string(),
        format: z.string().optional().catch(undefined),
        text: z.string().optional().catch(undefined),
        buttons: z
          .array(
            z.object({
              type: z.string().catch(''),
              text: z.string().optional().catch(undefined),
              url: z.string().optional().catch(undefined),
            }),
          )
          .optional()
          .catch(undefined),
      }),
    )
    .catch([]),
})
export type MetaTemplate = z.infer<typeof templateForm>

/** What fills a button, by what Meta calls it. */
export const buttonKindOf: Readonly<Record<string, ButtonKind>> = {
  URL: 'url',
  QUICK_REPLY: 'quick_reply',
  COPY_CODE: 'copy_code',
}

// Spaces are trimmed behind it: a pattern for them would take hours for a text that is nothing else.
const place = /\{\{([^{}]*)\}\}/g

/** The different places of a text, by number or name. */
export function placesIn(text = ''): string[] {
  return [...new Set(Array.from(text.matchAll(place), ([, name]) => name!.trim()))]
}

/** With the names of variables in the places. */
export function withVariables(text: string, variableOf: (place: string) => string): string {
  return text.replaceAll(place, (_place, name: string) => `{{${variableOf(name.trim())}}}`)
}

const pageForm = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }) })
    .optional()
    .catch(undefined),
})

type Found<Value> = { found: Value; fault?: undefined } | { found?: undefined; fault: string }

export async function findTemplate(parts: GraphParts, name: string, language: string): Promise<Found<MetaTemplate>> {
  for await (const page of findPages(parts, { name }, pagesMax)) {
    if (!page.found) return page
    const found = page.found.templates.find((one) => one.name === name && one.language === language)
    if (found) return { found }
  }
  return { fault: 'is not there' }
}

/** All of them, as far as WhatsApp tells so many. */
export function listMetaTemplates(parts: GraphParts): Promise<Found<MetaTemplate[]>> {
  return collect(parts, listing.pagesMax, () => undefined)
}

/** All of them, or none: of a list that is cut short, it is unknown what is missing. */
export function listWholly(parts: GraphParts): Promise<Found<MetaTemplate[]>> {
  const endMs = performance.now() + whole.ms
  return collect(parts, whole.pagesMax + 1, ({ isStrange }, count) => {
    if (count > whole.pagesMax || performance.now() > endMs) return 'is too long to be read'
    return isStrange ? 'has a template of an unknown form' : undefined
  })
}

/** @param findFault looks at each page, with its number from 1 */
async function collect(
  parts: GraphParts,
  pagesMax: number,
  findFault: (page: Page, count: number) => string | undefined,
): Promise<Found<MetaTemplate[]>> {
  const found: MetaTemplate[] = []
  let count = 0
  for await (const page of findPages(parts, { limit: listing.limit, fields: listedFields }, pagesMax)) {
    if (!page.found) return page
    count += 1
    const fault = findFault(page.found, count)
    if (fault !== undefined) return { fault }
    found.push(...page.found.templates)
  }
  return { found }
}

/** With what can be read of it. */
interface Page {
  templates: MetaTemplate[]
  /** Not all of it can. */
  isStrange: boolean
}

async function* findPages(
  { businessAccountId, get }: GraphParts,
  asked: Record<string, string>,
  most: number,
): AsyncGenerator<Found<Page>> {
  let after: string | undefined
  for (let page = 0; page < most; page++) {
    const query = new URLSearchParams({ ...asked, ...(after !== undefined && { after }) })
    const answer = toGraphAnswer(await get(`${businessAccountId}/message_templates?${query}`), pageForm)
    if (!answer.found) return yield { fault: `could not be read: ${answer.fault}` }
    const { data, paging } = answer.found
    const templates = data.flatMap((one) => templateForm.safeParse(one).data ?? [])
    yield { found: { templates, isStrange: templates.length < data.length } }
    after = paging?.cursors.after
    // The last page too may have a cursor, behind which there is nothing.
    if (after === undefined || data.length === 0) return
  }
}

const refusedForm = z.object({ error: errorForm })

export function toGraphAnswer<Value>(answer: OutboundAnswer, form: z.ZodType<Value>): Found<Value> {
  if (answer.kind !== 'answered') return { fault: answer.reason }
  const body = parsed(answer)
  const refused = refusedForm.safeParse(body).data
  if (refused) return { fault: findGraphFault(refused.error).reason }
  const found = answer.status < 300 ? form.safeParse(body).data : undefined
  return found ? { found } : { fault: `status ${answer.status} with an unknown body` }
}
