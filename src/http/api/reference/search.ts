/** What the search looks through. The page's script makes its index of it when it is first used. */
import { chapters } from './chapters.ts'
import { documentedOperations, type Operation, parametersOf, responsesOf, told } from './document.ts'
import { errorCodes, listErrorCodes, meanings } from './errors.ts'
import { stories, storyAnchor } from './stories.ts'

interface Entry {
  /** Where it is, as seen from `/docs`. */
  id: string
  kind: 'Guide' | 'Story' | 'Operation' | 'Event' | 'Error'
  title: string
  /** What it is found by beside its title. */
  text: string
}

export function searchEntries(): Entry[] {
  return [
    ...documentedOperations.map((route) => {
      const { operationId, method, path, 'x-required-scope': scope = '' } = route
      const codes = responsesOf(route).flatMap(([, response]) => listErrorCodes(response))
      return entry('Operation', `#${operationId}`, route.summary, [
        operationId,
        method,
        path,
        scope,
        ...codes,
        formatWords(route),
      ])
    }),
    ...told.map((event) => entry('Event', `#${event.type}`, event.summary, [event.type, formatWords(event)])),
    ...errorCodes.map((code) => entry('Error', `/errors#${code}`, code, [meanings.get(code) ?? ''])),
    ...stories.map((story) =>
      entry('Story', `#${storyAnchor(story)}`, story.summary, [
        story.description,
        ...story.steps.flatMap(({ operationId, description }) => [operationId, description]),
      ]),
    ),
    ...chapters.map(({ id, title, markdown }) => entry('Guide', `#${id}`, title, [markdown])),
  ]
}

function entry(kind: Entry['kind'], id: string, title: string, texts: readonly string[]): Entry {
  return { id, kind, title, text: texts.join(' ').replaceAll(/[`*|]/g, '') }
}

/** What is said of it, and the names of what it takes. */
function formatWords(operation: Operation): string {
  const { description = '', requestBody } = operation
  const names = parametersOf(operation).map(({ name }) => name)
  const fields = JSON.stringify(requestBody?.content ?? '').match(/"(\w+)":/g) ?? []
  return [description, ...names, ...new Set(fields)].join(' ')
}
