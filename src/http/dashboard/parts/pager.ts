/** From one page of a long list to the next: by the place of the last row, however long the list is. */
import { type Html, html } from '../../html.ts'
import { iconOf } from './icon.ts'

export interface Pager {
  path: string
  /** What is searched for. */
  query: URLSearchParams
  /** The place after which the next page begins; undefined on the last one. */
  next: string | undefined
  /** What the steps are called; `Newest` and `Older` when left out. */
  names?: { first: string; next: string }
}

/** The first page is one step away; those between are the browser's "back". */
export function pagerOf({ path, query, next, names = ofTime }: Pager): Html | undefined {
  const isFirst = !query.has('after')
  if (isFirst && next === undefined) return undefined
  const first = without(query)
  const following = without(query)
  if (next !== undefined) following.set('after', next)
  return html`<nav class="pager" aria-label="More">${
    isFirst
      ? html`<span></span>`
      : html`<a class="button plain" href="${pathOf(path, first)}">${iconOf('back')}${names.first}</a>`
  }${next !== undefined && html`<a class="button plain" href="${pathOf(path, following)}">${names.next}${iconOf('next')}</a>`}</nav>`
}

const ofTime = { first: 'Newest', next: 'Older' }

function without(query: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(query)
  copy.delete('after')
  return copy
}

function pathOf(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`
}
