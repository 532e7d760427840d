/** The contract's prose and code as HTML. Its descriptions are Markdown; HTML in them is text like any other. */
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { Marked } from 'marked'
import { Html, html } from '../../html.ts'

for (const [name, language] of Object.entries({ bash, json, python, typescript })) {
  highlighter.registerLanguage(name, language)
}

export type Language = 'bash' | 'json' | 'python' | 'typescript'

/** Where pages of the reference find one another, from the one that is shown: a proxy may have put them under any path. */
export interface Links {
  home: string
  errors: string
  files: string
}

export interface Text {
  links: Links
  /** Paragraphs, lists and tables. */
  block: (markdown: string) => Html
  /** A part of a line. */
  line: (markdown: string) => Html
  /** An error's code, which leads to what is said of it. */
  errorCode: (code: string) => Html
}

/** @param anchors names that lead to their place wherever the prose has them as code, like `invalid_phone` */
export function createText(links: Links, anchors: { errors: readonly string[]; home: readonly string[] }): Text {
  const places = new Map([
    ...anchors.home.map((name) => [name, `${links.home}#${name}`] as const),
    ...anchors.errors.map((name) => [name, `${links.errors}#${name}`] as const),
  ])
  const named = (name: string) => {
    const place = places.get(name)
    return place === undefined ? html`<code>${name}</code>` : html`<a href="${place}"><code>${name}</code></a>`
  }
  const marked = new Marked({
    renderer: {
      codespan: ({ text }) => named(text).text,
      html: ({ text }) => html`${text}`.text,
    },
  })
  return {
    links,
    block: (markdown) => new Html(marked.parse(markdown, { async: false })),
    line: (markdown) => new Html(marked.parseInline(markdown, { async: false })),
    errorCode: named,
  }
}

/** What a description begins with, up to its first empty line or list: `* code: text` for each value, here by code. */
export function listOfWords(markdown: string): Map<string, string> {
  const items = markdown.matchAll(/^\* `([^`]+)`: (.*(?:\n {2,}\S.*)*)/gm)
  return new Map(Array.from(items, ([, name = '', text = '']) => [name, text.replaceAll(/\n +/g, ' ')]))
}

/** A description without its list of values. */
export function unlisted(markdown: string): string {
  return markdown.replaceAll(/^\* `[^`]+`: .*(?:\n {2,}\S.*)*\n?/gm, '')
}

/** Code with its words coloured, and a button that copies it. Long lines are broken: nothing has to be scrolled to be read. */
export function renderCode(language: Language, code: string): Html {
  const { value } = highlighter.highlight(code, { language })
  return html`<pre><button type="button" class="copy" hidden>Copy</button><code>${new Html(value)}</code></pre>`
}

export const jsonOf = (value: unknown): string => JSON.stringify(value, undefined, 2)
