/**
 * What `redocly diff` takes for text and is more: what clients may send from now on, what is meant when they leave something
 * out, and the names that generated code takes from the contract.
 */
import { before, type Change, formatOwner, lacking, type Visit } from './change.ts'

export const looserRules = {
  'default-changed': () => ({ Schema: reportDefault }),
  'tag-changed': () => ({ Tag: reportTag, Operation: reportTagsOfOperation }),
  'path-parameter-renamed': () => ({ Parameter: reportPathParameter }),
  'own-pattern-changed': () => ({ Schema: reportOwnPattern }),
  'serialization-changed': () => ({ Parameter: reportSerialization }),
  'request-loosened': () => ({ Schema: reportLoosened, Parameter: reportOptional, RequestBody: reportOptional }),
}

function reportDefault(change: Change, { report, getDirections }: Visit): void {
  if (!isOf(change, 'default') || !getDirections().includes('request')) return
  report({
    message: `The default${formatOwner(change)} ${describeChange(change)}: who leaves it out gets something else.`,
  })
}

function reportTag(change: Change, { report }: Visit): void {
  if (isOf(change, 'name'))
    report({
      message: `The tag ${describeChange(change)}: generated clients and the reference group operations by it.`,
    })
}

function reportTagsOfOperation(change: Change, { report }: Visit): void {
  if (isOf(change, 'tags'))
    report({ message: `The operation's tag ${describeChange(change)}: generated clients move it.` })
}

function reportPathParameter(change: Change, { report }: Visit): void {
  if (isOf(change, 'name') && before(change).in === 'path')
    report({
      message: `The path parameter ${describeChange(change)}: generated clients call it so; the path is the same.`,
    })
}

/** What the service goes by where the pattern of the contract cannot say it. */
function reportOwnPattern(change: Change, { report, getDirections }: Visit): void {
  if (!isOf(change, 'x-ecma-pattern') || change.revision?.value === undefined) return
  if (hasMoreCharacters(change.base?.value, change.revision.value)) return
  if (getDirections().includes('request'))
    report({
      message: `\`x-ecma-pattern\`${formatOwner(change)} ${describeChange(change)}: other requests are refused.`,
    })
}

/** Whether a pattern is another but for more characters in one of its sets: what matched before does so now. */
function hasMoreCharacters(was: unknown, is: unknown): boolean {
  if (typeof was !== 'string' || typeof is !== 'string') return false
  const start = was.split('').findIndex((unit, index) => unit !== is[index])
  const [head, rest] = [was.slice(0, start), was.slice(start)]
  const set = head.lastIndexOf('[')
  if (start < 0 || set <= head.lastIndexOf(']') || was[set - 1] === '\\' || was[set + 1] === '^') return false
  const added = is.slice(start, is.length - rest.length)
  // A dash would make a range of its neighbors.
  const isPlain = /^[^\\[\]^-]+$/.test(added) && !/[\\-]$/.test(head) && !/^-[^\]]/.test(rest)
  // In a group, it can be what must not follow.
  const around = head.slice(0, set).replaceAll(/\\.|\[[^\]]*\]/g, '')
  const isInGroup = around.split('(').length !== around.split(')').length
  return isPlain && !isInGroup && is.endsWith(rest)
}

/** How a value is written in a path, a query or a header: what the contract leaves out has a meaning, too. */
function reportSerialization(change: Change, { report, getDirections }: Visit): void {
  const { kind, property = '', base, revision } = change
  if (kind !== 'modified' || !Object.hasOwn(serialization, property) || !getDirections().includes('request')) return
  const { in: place, schema } = before(change) as { in: string; schema?: { type?: string } }
  // A reference here is to no list: parameters have none.
  const isScalar = !['array', 'object'].includes(String(schema?.type))
  if (property === 'explode' && isScalar) return
  const usual = property === 'style' && (place === 'query' || place === 'cookie') ? 'form' : serialization[property]
  const [was = usual, is = usual] = [base?.value, revision?.value]
  if (was !== is) report({ message: `\`${property}\` of a parameter was '${was}', and is '${is}'.` })
}

/** What is meant where the contract says nothing; a list or an object in a query is exploded. */
const serialization: Record<string, unknown> = {
  style: 'simple',
  explode: true,
  allowReserved: false,
  allowEmptyValue: false,
}

function reportOptional(change: Change, { report, getDirections }: Visit): void {
  if (!isOf(change, 'required') || change.revision?.value === true || change.base?.value !== true) return
  if (getDirections().includes('request')) report({ message: 'It may be left out from now on.' })
}

const most = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const least = ['minimum', 'minLength', 'minItems', 'minProperties']
const forms = ['pattern', 'x-ecma-pattern', 'format', 'multipleOf', 'enum', 'x-always']

function reportLoosened(change: Change, { report, getDirections }: Visit): void {
  if (change.kind !== 'modified' || change.property === undefined || !getDirections().includes('request')) return
  const what = `\`${change.property}\`${formatOwner(change)}`
  const [was, is] = [change.base?.value, change.revision?.value]
  const told = isLooser(change.property, was, is) && `${what} ${listed(was) ?? describeChange(change)}`
  if (told) report({ message: `${told}: requests that were refused are taken.` })

  function listed(list: unknown): string | undefined {
    if (!Array.isArray(list) || !Array.isArray(is)) return undefined
    const [lost, gained] = [lacking(list, is), lacking(is, list)]
    return [lost.length > 0 && `lost ${quoted(lost)}`, gained.length > 0 && `gained ${quoted(gained)}`]
      .filter(Boolean)
      .join(' and ')
  }
}

function isLooser(keyword: string, was: unknown, is: unknown): boolean {
  if (keyword === 'required') return lacking(was, is).length > 0
  if (keyword === 'nullable') return is === true
  if (['uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum'].includes(keyword)) return was === true && is !== true
  if (keyword === 'additionalProperties') return was === false
  if (keyword === 'type') return was === 'integer' && is === 'number'
  if (![...most, ...least, ...forms].includes(keyword) || was === undefined) return false
  if (is === undefined) return true
  if (keyword === 'x-ecma-pattern') return hasMoreCharacters(was, is)
  if (keyword === 'enum') return lacking(is, was).length > 0
  if (typeof was !== 'number' || typeof is !== 'number') return false
  return most.includes(keyword) ? is > was : least.includes(keyword) && is < was
}

function isOf({ kind, property }: Change, name: string): boolean {
  return kind === 'modified' && property === name
}

function describeChange({ base, revision }: Change): string {
  const [was, is] = [base?.value, revision?.value]
  if (was === undefined) return `is ${quoted([is])} now, and there was none`
  return is === undefined
    ? `was ${quoted([was])}, and there is none any more`
    : `was ${quoted([was])}, and is ${quoted([is])}`
}

function quoted(values: unknown[]): string {
  return values
    .flat()
    .map((value) => `'${typeof value === 'string' ? value : JSON.stringify(value)}'`)
    .join(', ')
}
