/** The contract's introduction in chapters: each begins with a paragraph whose first words are bold, `**Keys.** …`. */
import { document } from './document.ts'

export interface Chapter {
  id: string
  title: string
  markdown: string
}

const [opening = '', ...rest] = document.info.description.split(/^(?=\*\*[^*]+\.\*\*\s)/m)

/** What stands before the first one. */
export { opening }

export const chapters: readonly Chapter[] = rest.map((part) => {
  const [head = '', title = ''] = /^\*\*([^*]+)\.\*\*\s/.exec(part) ?? []
  return { id: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title, markdown: part.slice(head.length) }
})
