/** The contract's guide in chapters: each begins with a paragraph whose first words are bold, `**Keys.** …`. */
import { document } from './document.ts'

export interface Chapter {
  id: string
  title: string
  markdown: string
}

/** What it is, in a paragraph: the rest of the description is for those who have no guide. */
export const [opening = ''] = document.info.description.split('\n\n')

export const chapters: readonly Chapter[] = document['x-guide'].split(/^(?=\*\*[^*]+\.\*\*\s)/m).map((part) => {
  const [head = '', title = ''] = /^\*\*([^*]+)\.\*\*\s/.exec(part) ?? []
  return { id: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title, markdown: part.slice(head.length) }
})
