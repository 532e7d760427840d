/** From one page of a long list to the next: by the place of the last row, however long the list is. */
import { type Html, html } from '../../html.ts'
import { iconOf } from './icon.ts'

export interface Pager {
  path: string
  /** What is searched for. */
  query: URLSearchParams
  /** The place after which the next page begins; undefined on the last one. */
  next: string | undefined
  /** The place before which the page before ends; undefined on the first one, and where a list is not turned back. */
  previous?: string | undefined
  /** What the steps are called; `Newest`, `Newer` and `Older` when left out. */
  names?: { first: string; next: string; previous?: string } | undefined
}

/** The first page is one step away. */
export function renderPager({ path, query, next, previous, names = ofTime }: Pager): Html | undefined {
  const isFirst = !query.has('after') && !query.has('before')
  if (isFirst && next === undefined) return undefined
  const asked = { path, query }
  return html`<nav class="pager" aria-label="More"><span class="acts">${
    !isFirst && html`<a class="button plain" href="${pathWith(asked)}">${iconOf('back')}${names.first}</a>`
  }${
    previous !== undefined &&
    names.previous !== undefined &&
    html`<a class="button plain" href="${pathWith(asked, 'before', previous)}">${names.previous}</a>`
  }</span>${
    next !== undefined &&
    html`<a class="button plain" href="${pathWith(asked, 'after', next)}">${names.next}${iconOf('next')}</a>`
  }</nav>`
}

const ofTime = { first: 'Newest', next: 'Older', previous: 'Newer' }

/** The same search, from its first page on or from another place. */
export function pathWith(
  { path, query }: Pick<Pager, 'path' | 'query'>,
  name?: 'after' | 'before',
  place?: string,
): string {
  const asked = new URLSearchParams(query)
  asked.delete('after')
  asked.delete('before')
  if (name !== undefined && place !== undefined) asked.set(name, place)
  return asked.size === 0 ? path : `${path}?${asked}`
}
