/**
 * What `redocly diff` takes for text in what answers promise: a promise that is taken back, one that the types of generated clients
 * will have, a field that one side has again, and what is deprecated.
 */
import { before, type Change, formatOwner, lacking, type Visit } from './change.ts'

type Rule = (change: Change, visit: Visit) => void

export const promiseRules = {
  'promise-taken-back': () => ({ Header: reportHeaderThatMayMiss }),
  'promise-made': () => ({ Header: reportHeaderThatComes, Schema: reportNarrower }),
  'field-given-back': () => ({ Schema: reportGivenBack }),
  deprecated: () => ({
    Operation: reportDeprecated,
    Parameter: reportDeprecated,
    Header: reportDeprecated,
    Schema: reportDeprecated,
  }),
  'key-needs-less': () => ({ SecurityRequirement: reportFewerScopes }),
}

/** Every header that is declared here is one of an answer. */
const reportHeaderThatMayMiss: Rule = (change, { report }) => {
  if (isOf(change, 'required') && change.base?.value === true) report({ message: 'It may be missing from now on.' })
}

const reportHeaderThatComes: Rule = (change, { report }) => {
  if (isOf(change, 'required') && change.revision?.value === true)
    report({ message: 'It always comes from now on: generated clients have a type without "missing" for it.' })
}

/** The same answers fit, and generated types have less to expect. */
const reportNarrower: Rule = (change, { report, getDirections }) => {
  const { kind, property = '', base, revision } = change
  if (kind !== 'modified' || !getDirections().includes('response')) return
  if (isNarrower(property, base?.value, revision?.value))
    report({
      message: `\`${property}\`${formatOwner(change)} promises more: generated clients have another type for it.`,
    })
}

function isNarrower(keyword: string, was: unknown, is: unknown): boolean {
  if (keyword === 'required') return lacking(is, was).length > 0
  if (keyword === 'nullable') return was === true && is !== true
  if (keyword === 'type') return was === 'number' && is === 'integer'
  return (keyword === 'format' || keyword === 'enum') && was === undefined && is !== undefined
}

/** A field that was `readOnly` is one of requests now, and one that was `writeOnly` one of answers. */
const reportGivenBack: Rule = (change, { report, getDirections }) => {
  const side = { readOnly: 'request' as const, writeOnly: 'response' as const }[change.property ?? '']
  if (change.kind !== 'modified' || !side || change.base?.value !== true || !getDirections().includes(side)) return
  report({ message: `\`${change.property}\`${formatOwner(change)} is gone: it is a field of ${side}s again.` })
}

/** As Semantic Versioning asks, in its point 7. */
const reportDeprecated: Rule = (change, { report }) => {
  if (isOf(change, 'deprecated') && change.revision?.value === true && before(change).deprecated !== true)
    report({ message: 'It is deprecated: generated clients warn of it.' })
}

const reportFewerScopes: Rule = (change, { report }) => {
  const fewer = lacking(change.base?.value, change.revision?.value)
  if (change.kind === 'modified' && fewer.length > 0)
    report({ message: `Keys of ${change.property} need no ${fewer.join(', ')} any more.` })
}

function isOf({ kind, property }: Change, name: string): boolean {
  return kind === 'modified' && property === name
}
