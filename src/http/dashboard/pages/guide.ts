/** The pages of `docs/`, where another page sends somebody to read on. They are Markdown, written by us. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Marked } from 'marked'
import { Refusal } from '../../../kit/refusal.ts'
import { Html, html } from '../../html.ts'
import { renderTable } from '../parts/table.ts'
import type { Asked, GuardedRoute, View } from '../route.ts'

export const guideRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: '/guide', role: 'viewer', show: index },
  { method: 'GET', path: '/guide/:page', role: 'viewer', show },
]

/** Beside the code, or beside the folder that a package has it in. */
const folder = ['../../../../docs', '../../../../../docs']
  .map((path) => join(import.meta.dirname, path))
  .find((path) => existsSync(join(path, 'dashboard.md')))
/** The file of each page, by the name that it has here: `auth/kratos.md` is `auth-kratos`. */
const files = new Map(
  (folder === undefined ? [] : [...filesIn(folder, ''), ...filesIn(folder, 'auth/')]).map((file) => [
    nameOf(file),
    file,
  ]),
)

/** Read once. */
const shown = new Map<string, View>()

/** All pages, by their titles. */
function index(): View {
  const view = shown.get('') ?? indexView()
  shown.set('', view)
  return view
}

function indexView(): View {
  const pages = [...files].map(([name, file]) => ({ name, title: titleOf(readFileSync(join(folder!, file), 'utf8')) }))
  const links = pages
    .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
    .map(({ name, title }) => html`<li><a href="/guide/${name}">${title}</a></li>`)
  return { title: 'Guide', body: html`<article class="guide"><h1>Guide</h1><ul>${links}</ul></article>` }
}

async function show({ params }: Asked): Promise<View> {
  const name = params.page ?? ''
  const file = files.get(name)
  if (folder === undefined || file === undefined) throw new Refusal('There is no such page')
  const view = shown.get(name) ?? (await renderView(readFileSync(join(folder, file), 'utf8'), dirname(file)))
  shown.set(name, view)
  return view
}

/** Where to read on: the page itself, or the one that stands for it where this version has none such. */
export function guidePathOf(name: string, instead: string): string {
  return `/guide/${files.has(name) ? name : instead}`
}

function filesIn(top: string, inner: string): string[] {
  const path = join(top, inner)
  return existsSync(path)
    ? readdirSync(path).flatMap((file) => (/^[\w-]+\.md$/.test(file) ? `${inner}${file}` : []))
    : []
}

function nameOf(file: string): string {
  return file.replace(/\.md$/, '').replace('/', '-')
}

/** @param base the folder that its links begin at */
async function renderView(markdown: string, base: string): Promise<View> {
  // Loaded by who reads.
  const marked = new (await import('marked')).Marked({ renderer: createRenderer(base) })
  const title = titleOf(markdown)
  const text = String(marked.parse(markdown, { async: false }))
  return {
    title,
    body: html`<p class="way"><a href="/guide">Guide</a></p>
<article class="guide">${new Html(text)}</article>`,
  }
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? 'Guide'
}

type Renderer = NonNullable<NonNullable<ConstructorParameters<typeof Marked>[0]>['renderer']>

function createRenderer(base: string): Renderer {
  let tables = 0
  return {
    // Pictures, which are of these pages.
    html: () => '',
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code: ({ text, lang }) =>
      html`<div class="block"><pre tabindex="0" aria-label="${lang || 'Text'}"><code>${text}</code></pre></div>`.text,
    link({ href, tokens }) {
      const inner = String(this.parser.parseInline(tokens))
      const to = findPlace(href, base)
      return to === undefined ? inner : html`<a href="${to}">${new Html(inner)}</a>`.text
    },
    image: () => '',
    // As those of other pages: cards on a phone.
    table({ header, rows }) {
      const inner = (tokens: (typeof header)[number]['tokens']) => new Html(String(this.parser.parseInline(tokens)))
      return renderTable<typeof header>({
        caption: `Table ${++tables}: ${header.map(({ text }) => text).join(', ')}`,
        rows,
        columns: header.map(({ text }, index) => ({ name: text, cell: (row) => inner(row[index]!.tokens) })),
      }).text
    },
  }
}

/** As in the pages themselves: their tests look whether each leads somewhere. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** @returns undefined for what is no page of these, and no address */
function findPlace(href: string, base: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [, file = '', anchor = ''] = /^([^#]*\.md)(#.*)?$/.exec(href) ?? []
  const name = nameOf(normalize(join(base, file)))
  return files.has(name) ? `/guide/${name}${anchor}` : undefined
}
