/** The reference as one Markdown text, and the list of what there is to read: for programs that write clients. */
import { chapters, opening } from './chapters.ts'
import { type DocumentedOperation, document, findExamples, parametersOf, responsesOf, type Told } from './document.ts'
import { errorCodes, errorStatuses, listErrorCodes, meanings } from './errors.ts'
import { type Field, type Fields, fieldsOf, headerFields, parameterFields } from './fields.ts'
import { groups } from './layout.ts'
import { stories, storyText } from './stories.ts'
import { jsonOf, unlisted } from './text.ts'

const { title, version } = document.info

/** In the form of llmstxt.org. @param address of the API, without a slash at the end */
export function contentsText(address: string): string {
  const whole = `${address}/openapi.md`
  const forms = [
    `- [The whole contract](${whole}): every operation, event and error with its fields and examples, as Markdown`,
    `- [openapi.yaml](${address}/openapi.yaml): the contract itself, OpenAPI 3.0`,
    `- [openapi.json](${address}/openapi.json): the same as JSON`,
    `- [openapi.3.1.json](${address}/openapi.3.1.json): the same as OpenAPI 3.1`,
    `- [Reference](${address}/docs): the same as pages`,
  ]
  const entries = groups.map(({ name, routes, told }) =>
    [
      `## ${name}`,
      [
        ...routes.map((route) => `- [${route.operationId}](${whole}): ${route.method} ${route.path}: ${route.summary}`),
        ...told.map(({ type, summary: about }) => `- [${type}](${whole}): ${about}`),
      ].join('\n'),
    ].join('\n\n'),
  )
  return `${[`# ${title} API`, `> ${opening.replaceAll('\n', ' ')}`, '## The contract', forms.join('\n'), ...entries].join('\n\n')}\n`
}

/** @param address of the API, without a slash at the end */
export function wholeText(address: string): string {
  const parts = [
    `# ${title} API`,
    `Version ${version}. Address: ${address}`,
    opening,
    ...chapters.flatMap((chapter) => [`## ${chapter.title}`, chapter.markdown.trim()]),
    '## Stories',
    'What programs do, one request after the other.',
    ...stories.map(storyText),
    ...groups.flatMap(({ name, description, routes, told }) => [
      `## ${name}`,
      description.trim(),
      ...routes.flatMap(operationParts),
      ...told.flatMap(eventParts),
    ]),
    ...errorParts(),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function operationParts(route: DocumentedOperation): string[] {
  const { operationId, method, path, summary: about, description = '', requestBody, deprecated } = route
  const { 'x-required-scope': scope } = route
  const parameters = parametersOf(route)
  const content = requestBody?.content
  return [
    `### ${about} (\`${operationId}\`)`,
    [
      `\`${method} ${path}\``,
      ...(scope === undefined ? [] : [`scope \`${scope}\``]),
      ...(deprecated ? ['deprecated'] : []),
    ].join(', '),
    description.trim(),
    ...(parameters.length > 0 ? ['Parameters:', fieldLines(parameterFields(parameters))] : []),
    ...(content ? ['Request:', ...schemaParts(content), ...exampleParts(content)] : []),
    ...responsesOf(route).flatMap(([status, response]) => {
      const codes = listErrorCodes(response)
      const head = `Answer ${status}: ${response.description.trim()}`
      if (codes.length > 0) return [head, `Codes: ${codes.map((code) => `\`${code}\``).join(', ')}`]
      const headers = response.headers ? ['Headers:', fieldLines(headerFields(response))] : []
      return [head, ...headers, ...schemaParts(response.content), ...exampleParts(response.content)]
    }),
  ]
}

function eventParts(event: Told): string[] {
  const { type, summary: about, description = '', requestBody } = event
  return [
    `### ${about} (\`${type}\`)`,
    description.trim(),
    ...schemaParts(requestBody?.content),
    ...exampleParts(requestBody?.content),
  ]
}

function errorParts(): string[] {
  const lines = errorCodes.map(
    (code) => `- \`${code}\` (${errorStatuses[code]}): ${unlisted(meanings.get(code) ?? '').trim()}`,
  )
  return ['## Errors', lines.join('\n')]
}

type Content = Parameters<typeof findExamples>[0]

function schemaParts(content: Content): string[] {
  const fields = fieldsOf(content?.['application/json']?.schema ?? {})
  return fields ? [fieldLines(fields)] : []
}

function exampleParts(content: Content): string[] {
  return findExamples(content).map(
    ([name, { summary: about, value }]) =>
      `Example \`${name}\`${about === undefined ? '' : `: ${about}`}\n\n\`\`\`json\n${jsonOf(value)}\n\`\`\``,
  )
}

/** A list, and in it the lists of what its fields have. */
function fieldLines(fields: Fields, depth = 0): string {
  const indent = '  '.repeat(depth)
  if ('list' in fields) return fields.list.map((field) => fieldLine(field, depth)).join('\n')
  return fields.variants
    .flatMap(({ title: when, fields: own }) => [`${indent}- ${when}:`, ...(own ? [fieldLines(own, depth + 1)] : [])])
    .join('\n')
}

function fieldLine(
  { name, type, isRequired, isDeprecated, description = '', limits, inner }: Field,
  depth: number,
): string {
  const indent = '  '.repeat(depth)
  const about = [type, ...(isRequired ? ['required'] : []), ...(isDeprecated ? ['deprecated'] : []), ...limits].join(
    ', ',
  )
  // What follows in the description belongs to the same entry of the list.
  const text = description.trim().replaceAll(/\n(?=.)/g, `\n${indent}  `)
  const own = `${indent}- \`${name}\` (${about})${text === '' ? '' : `: ${text}`}`
  return inner ? `${own}\n${fieldLines(inner, depth + 1)}` : own
}
