/** The reference: two pages made of the contract, and the files that they load. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { html } from '../../html.ts'
import { chapters, opening } from './chapters.ts'
import { document, documentedOperations, told } from './document.ts'
import { errorCodes, errorsPage } from './errors.ts'
import { eventSection } from './event.ts'
import { groups, layout } from './layout.ts'
import { operationSection } from './operation.ts'
import { keyVariable } from './samples.ts'
import { searchEntries } from './search.ts'
import { stories, storySection } from './stories.ts'
import { createText, type Links } from './text.ts'

export interface ReferenceParts {
  /** Of the API, without a slash at the end. */
  address: string
  /** Of a sandbox: requests can be sent from its pages. */
  sandboxKey: string | undefined
}

const anchors = {
  home: [...documentedOperations.map(({ operationId }) => operationId), ...told.map(({ type }) => type)],
  errors: errorCodes,
}

export function homePage({ address, sandboxKey }: ReferenceParts): string {
  const { title, version } = document.info
  const links: Links = { home: '', errors: 'docs/errors', files: 'docs/' }
  const text = createText(links, anchors)
  const reader = { text, address, sandboxKey }
  const body = html`<header class="opening" id="top"><h1>${title}</h1>${text.block(opening)}
<dl class="facts"><div><dt>Address</dt><dd><code>${address}</code></dd></div><div><dt>Version</dt><dd>${version}</dd></div><div><dt>Key</dt><dd>${
    sandboxKey === undefined
      ? html`The samples take it from the environment variable <code>${keyVariable}</code>.`
      : html`This is a sandbox, and its key is known: <code>${sandboxKey}</code>. The samples take it from <code>${keyVariable}</code>.`
  }</dd></div></dl></header>
${chapters.map(({ id, title, markdown }) => html`<section class="chapter" id="${id}"><h2><a href="#${id}">${title}</a></h2>${text.block(markdown)}</section>`)}
<header class="tag"><h2 id="stories"><a href="#stories">Stories</a></h2><p>What programs do, one request after the other.</p></header>
${stories.map((story) => storySection(story, text))}
${groups.map(
  (tag) => html`<header class="tag"><h2>${tag.name}</h2>${text.block(tag.description)}</header>
${tag.routes.map((route) => operationSection(route, reader))}${tag.told.map((event) => eventSection(event, text))}`,
)}`
  return layout({ title: `${title} API`, links, place: 'home', address, body })
}

export function errorPage({ address }: ReferenceParts): string {
  const links: Links = { home: '../docs', errors: '', files: '' }
  const body = errorsPage(createText(links, anchors))
  return layout({ title: `Errors · ${document.info.title} API`, links, place: 'errors', address, body })
}

export const searchText = (): string => JSON.stringify(searchEntries())

/** What the pages load, by the name that they ask for. */
export const files: Record<string, { type: string; read: () => Promise<Buffer> }> = {
  'style.css': { type: 'text/css; charset=utf-8', read: () => readFile(own('style.css')) },
  'script.js': { type: 'text/javascript; charset=utf-8', read: () => readFile(own('script.js')) },
  'minisearch.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFile(fileURLToPath(import.meta.resolve('minisearch'))),
  },
  'icon.svg': { type: 'image/svg+xml', read: () => readFile(own('icon.svg')) },
}

const own = (name: string) => join(import.meta.dirname, 'assets', name)
