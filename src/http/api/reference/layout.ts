/** What stands around both pages: the head, the menu and the search. */
import { type Html, html } from '../../html.ts'
import { chapters } from './chapters.ts'
import {
  type DocumentedOperation,
  document,
  documentedOperations,
  type Operation,
  type Told,
  told,
} from './document.ts'
import { errorCodes } from './errors.ts'
import { stories, storyAnchor } from './stories.ts'
import type { Links } from './text.ts'

interface Page {
  title: string
  links: Links
  /** Which of the two is shown. */
  place: 'home' | 'errors'
  /** Of the API. */
  address: string
  body: Html
}

const tagOf = ({ tags: [first = 'Others'] = [] }: Operation) => first
const tagNames = new Set([...document.tags.map(({ name }) => name), ...[...documentedOperations, ...told].map(tagOf)])

/** Tags in the contract's order, with what has them. An operation stands once, though it may have several. */
export const groups = Array.from(tagNames, (name) => ({
  name,
  description: document.tags.find((tag) => tag.name === name)?.description ?? '',
  routes: documentedOperations.filter((route) => tagOf(route) === name),
  told: told.filter((event) => tagOf(event) === name),
}))

export function layout({ title, links, place, address, body }: Page): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${links.files}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${links.files}style.css">
<script type="module" src="${links.files}script.js"></script>
</head>
<body data-home="${links.home}" data-files="${links.files}">
<a class="skip" href="#main">Skip to the page</a>
<header class="side">
<p class="brand"><a href="${links.home}#top"><img src="${links.files}icon.svg" alt="" width="20" height="20">${document.info.title} <small>${document.info.version}</small></a></p>
<search hidden>
<input type="search" id="search" placeholder="Search" aria-label="Search the reference" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<div id="found" role="status" hidden></div>
</search>
<button type="button" class="menu-button" popovertarget="menu">Menu</button>
<nav class="menu" id="menu" popover aria-label="Reference">
${group(
  'Guide',
  chapters.map(({ id, title }) => ({ href: `${links.home}#${id}`, name: html`${title}` })),
)}
${group(
  'Stories',
  stories.map((story) => ({ href: `${links.home}#${storyAnchor(story)}`, name: html`${story.summary}` })),
)}
${groups.map((tag) => group(tag.name, [...tag.routes.map((route) => routeEntry(route, links)), ...tag.told.map((event) => eventEntry(event, links))]))}
${group('Errors', [
  { href: place === 'errors' ? '#main' : links.errors, name: html`All errors`, isCurrent: place === 'errors' },
  ...(place === 'errors' ? errorCodes.map((code) => ({ href: `#${code}`, name: html`<code>${code}</code>` })) : []),
])}
${group(
  'The contract',
  ['openapi.yaml', 'openapi.json', 'openapi.3.1.json', 'openapi.md', 'llms.txt'].map((file) => ({
    href: `${address}/${file}`,
    name: html`${file}`,
  })),
)}
</nav>
</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`.text
}

interface Entry {
  href: string
  name: Html
  isCurrent?: boolean
}

function routeEntry({ operationId, summary, method }: DocumentedOperation, { home }: Links): Entry {
  return {
    href: `${home}#${operationId}`,
    name: html`<span>${summary}</span> <small class="method ${method.toLowerCase()}">${method}</small>`,
  }
}

function eventEntry({ type }: Told, { home }: Links): Entry {
  return { href: `${home}#${type}`, name: html`<code>${type}</code>` }
}

function group(name: string, entries: readonly Entry[]): Html | false {
  return (
    entries.length > 0 &&
    html`<h2>${name}</h2><ul>${entries.map(
      ({ href, name, isCurrent }) =>
        html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul>`
  )
}
