/** The tables of the README and of `docs/` that the contract has the facts of. */
import { type Contract, ContractFault, eventsOf, listOperations } from './redocly.ts'

const tables: Record<string, (contract: Contract) => string[]> = {
  operations,
  errors,
  events,
  'mock answers': mockAnswers,
}

/** The comments of one table, and the lines between. */
const place = /^<!-- generated: (.*) -->\n(?:(?!<!-- ).*\n)*<!-- end: \1 -->$/gm

/**
 * Puts each table between the two comments that keep its place, on whichever page they are.
 *
 * @param pages the text of each, by its path
 * @param contract without references
 * @throws Error when a table does not have exactly one place, or a place has no table
 */
export function fillTables(pages: Record<string, string>, contract: Contract): Record<string, string> {
  const placed: string[] = []
  const fill = (path: string, page: string) =>
    page.replaceAll(place, (_, name: string) => {
      const rows = tables[name]?.(contract)
      if (!rows) throw new Error(`${path} has a place for "${name}", which is no table`)
      placed.push(name)
      return [`<!-- generated: ${name} -->`, '', ...rows, '', `<!-- end: ${name} -->`].join('\n')
    })
  const filled = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, fill(path, page)]))
  for (const name of Object.keys(tables)) {
    const count = placed.filter((other) => other === name).length
    if (count !== 1) throw new Error(`"${name}" needs one place in ${Object.keys(pages).join(', ')}, and has ${count}`)
  }
  return filled
}

function operations(contract: Contract): string[] {
  const lines = listOperations(contract).map(
    ({ operationId, method, path, summary, 'x-required-scope': scope }) =>
      `| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` | \`${scope}\` | ${summary} |`,
  )
  return ['| operation | method and path | scope | does |', '|---|---|---|---|', ...lines]
}

/** What the description of the list says of each code, in a line `* \`code\`: …` that may go on below. */
function errors({ components }: Contract): string[] {
  const {
    description,
    enum: codes,
    'x-statuses': statuses,
  } = components.schemas.ErrorCode as { description: string; enum: string[]; 'x-statuses': Record<string, number> }
  const texts = new Map(
    Array.from(description.matchAll(/^\* `(.+?)`: (.*(?:\n {2}.*)*)$/gm), ([, code, text]) => [code!, text!] as const),
  )
  const strange = [...texts.keys()].find((code) => !codes.includes(code))
  if (strange) throw new ContractFault(`ErrorCode explains ${strange}, which is not in its list`)
  const lines = codes.map((code) => {
    const text = texts.get(code)
    if (text === undefined) throw new ContractFault(`ErrorCode has no line "* \`${code}\`: …" in its description`)
    const [meaning = '', ...advice] = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /)
    return `| ${statuses[code]} | \`${code}\` | ${sentence(meaning)} | ${advice.join(' ')} |`
  })
  return ['| HTTP | `code` | what it means | what to do |', '|---|---|---|---|', ...lines]
}

function events(contract: Contract): string[] {
  const lines = eventsOf(contract).map(({ type, webhook: { summary, requestBody } }) => {
    const { properties } = requestBody.content['application/json']!.schema as { properties: { data: Properties } }
    const fields = Object.keys(properties.data.properties).map((field) => `\`${field}\``)
    return `| \`${type}\` | ${summary} | ${fields.join(', ')} |`
  })
  return ['| type | says | `data` has |', '|---|---|---|', ...lines]
}

interface Properties {
  properties: object
}

function mockAnswers(contract: Contract): string[] {
  const lines = listOperations(contract).flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content['application/json']!.examples).map(
        ([example, { summary }]) =>
          `| \`${operationId}\` | \`Prefer: code=${status}, example=${example}\` | ${summary} |`,
      ),
    ),
  )
  return ['| operation | header | answer |', '|---|---|---|', ...lines]
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
