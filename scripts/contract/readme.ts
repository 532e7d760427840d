/** The tables of the README that the contract has the facts of. */
import { type Contract, ContractFault, operationsOf } from './redocly.ts'

const tables: Record<string, (contract: Contract) => string[]> = { operations, errors, 'mock answers': mockAnswers }

/**
 * Puts each table between the two comments that keep its place.
 *
 * @param contract without references
 */
export function fillTables(readme: string, contract: Contract): string {
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const [begin, end] = [`<!-- generated: ${name} -->\n`, `<!-- end: ${name} -->`]
    const [before, rest] = text.split(begin)
    const [, after] = rest?.split(end) ?? []
    if (before === undefined || after === undefined) throw new Error(`the README has no place for "${name}"`)
    return [before, begin, '\n', ...rows(contract).map((row) => `${row}\n`), '\n', end, after].join('')
  }, readme)
}

function operations(contract: Contract): string[] {
  const lines = operationsOf(contract).map(
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

function mockAnswers(contract: Contract): string[] {
  const lines = operationsOf(contract).flatMap(({ operationId, responses }) =>
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
