/** The templates of an account, as its programs read them. */
import type { ErrorCodeOf } from '../../contract/operation.ts'
import { createPlaces } from '../../kit/places.ts'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Commit } from '../../store/engine/commit.ts'
import type { Reader } from '../../store/engine/session.ts'
import { findTemplatesBehind, findTemplatesOf, type Template } from '../../store/template.ts'
import type { Caller } from '../access/authentication.ts'
import type { ConnectionKind } from '../channels/connectionEntry.ts'
import { variablesOf } from '../sending/wordings/templateText.ts'

export interface ToldTemplate extends Template {
  /** In the order of the text. */
  variables: ToldVariable[]
}

interface ToldVariable {
  name: string
  /** The kinds of connections that can carry the template and need the variable for it. */
  kinds: string[]
}

export interface TemplatePage {
  templates: ToldTemplate[]
  /** The `after` of the next page; undefined at the end. */
  next: string | undefined
}

export interface ToldTemplates {
  get: (caller: Caller, slug: string) => Promise<ToldTemplate | Problem<ErrorCodeOf<'getTemplate'>>>
  /** @param page its `after` is a slug: only those behind it */
  list: (
    caller: Caller,
    page: { limit: number; after?: string | undefined },
  ) => Promise<TemplatePage | Problem<ErrorCodeOf<'listTemplates'>>>
}

/** By their names. */
type Kinds = Readonly<
  Record<
    string,
    Pick<ConnectionKind, 'template' | 'templateVariables'> & {
      carries: (message: { kind: 'notification'; template: unknown }) => boolean
    }
  >
>

export interface ToldTemplatesParts {
  commit: Pick<Commit, 'reader'>
  kinds: Kinds
}

/** One in all its languages has up to 1 MB: so few are read at once, and a page ends behind so many characters. */
const [partSize, pageCharacters] = [10, 500_000]
/** Reads at once. */
const readsMax = 4
/** Milliseconds that a read waits for its turn. */
const readWaitMs = 2000

export function createToldTemplates({ commit: { reader }, kinds }: ToldTemplatesParts): ToldTemplates {
  const places = createPlaces(() => readsMax)
  const inPlace = async <Read>({ accountId }: Caller, work: () => Promise<Read>) => {
    if (!(await places.take(readWaitMs, accountId))) return unavailable()
    return work().finally(() => places.free(accountId))
  }
  return {
    get: (caller, slug) =>
      inPlace(caller, async () => {
        const [found] = await findTemplatesOf(reader, caller.accountId, slug)
        return found ? tellTemplate(found, kinds) : new Problem('template_not_found')
      }),
    list: (caller, { limit, after = '' }) =>
      inPlace(caller, async () => {
        const { templates, next } = await readPage(reader, { accountId: caller.accountId, limit, after })
        return { templates: templates.map((template) => tellTemplate(template, kinds)), next }
      }),
  }
}

async function readPage(
  reader: Reader,
  { accountId, limit, after }: { accountId: string; limit: number; after: string },
): Promise<{ templates: Template[]; next: string | undefined }> {
  const templates: Template[] = []
  let room = pageCharacters
  for (let slug = after; ; slug = templates.at(-1)!.slug) {
    // One more says whether the page is the last one.
    const part = await findTemplatesBehind(reader, { accountId, slug }, partSize + 1)
    for (const template of part.slice(0, partSize)) {
      if (templates.length === limit || (templates.length > 0 && room <= 0))
        return { templates, next: templates.at(-1)!.slug }
      templates.push(template)
      room -= JSON.stringify(template.locales).length
    }
    if (part.length <= partSize) return { templates, next: undefined }
  }
}

function tellTemplate(template: Template, kinds: Kinds): ToldTemplate {
  const locales = Object.values(template.locales)
  const names = variablesOf(template.locales[template.defaultLocale]!.text)
  const needs = Object.entries(kinds).flatMap(([kind, { carries, template: form, templateVariables }]) => {
    const said = locales.map(({ channels }) => channels[kind])
    if (!said.some((one) => carries({ kind: 'notification', template: one }))) return []
    // A kind for which templates say nothing sends the text.
    const needed = form ? said.flatMap((one) => templateVariables?.(one) ?? []).map(({ variable }) => variable) : names
    return [{ kind, needed: new Set(needed) }]
  })
  return {
    ...template,
    variables: names.map((name) => ({
      name,
      kinds: needs.filter(({ needed }) => needed.has(name)).map(({ kind }) => kind),
    })),
  }
}
