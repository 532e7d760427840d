/** What an operation is called, and what follows from it. */
import { nearest } from '../contract/nearest.ts'

/** Why nothing is added. Its message is for the person who asked. */
export class NotAdded extends Error {
  override readonly name = 'NotAdded'
}

/** What each verb makes, for things. */
export const verbs = {
  list: 'listThings: GET /v1/things, a page of what there is',
  get: 'getThing: GET /v1/things/{id}, one by its id',
  create: 'createThing: POST /v1/things/create, which makes one',
} as const

export type Verb = keyof typeof verbs

export interface Naming {
  operationId: string
  verb: Verb
  /** Of one, as types are named: `OptOut`. */
  type: string
  /** Of many: `OptOuts`. */
  types: string
  /** As prose has them: `opt out`, `opt outs`. */
  one: string
  many: string
  /** As fields are named: `opt_out`, `opt_outs`. */
  field: string
  fields: string
  path: string
  scope: string
}

const knownVerbs = Object.keys(verbs) as Verb[]

/** @throws NotAdded */
export function parseNaming(operationId: string): Naming {
  if (!/^[a-z][A-Za-z0-9]*$/.test(operationId))
    throw new NotAdded(`${operationId} is not a name in camelCase, like listThings.`)
  const [, begun = '', noun = ''] = /^([a-z0-9]+)(\w*)$/.exec(operationId) ?? []
  const verb = knownVerbs.find((known) => known === begun)
  if (!verb) {
    const meant = nearest(begun, knownVerbs)
    const hint = meant ? ` Did you mean ${meant}${noun}?` : ''
    const list = Object.values(verbs).map((line) => `  ${line}`)
    throw new NotAdded(
      [
        `No operation can be added that begins with ${begun}.${hint} Those that can:`,
        ...list,
        'Write another one by hand: docs/designers/operation.md.',
      ].join('\n'),
    )
  }
  if (noun === '') throw new NotAdded(`${operationId} does not say of what: ${verbs[verb].split(':')[0]} does.`)
  const isMany = toPlural(toSingular(noun)) === noun
  if (isMany !== (verb === 'list')) {
    const right = verb === 'list' ? toPlural(noun) : toSingular(noun)
    throw new NotAdded(`${verb} is of ${verb === 'list' ? 'many' : 'one'}: ${verb}${right}, not ${operationId}.`)
  }
  const [type, types] = isMany ? [toSingular(noun), noun] : [noun, toPlural(noun)]
  const [one, many] = [wordsOf(type), wordsOf(types)]
  const place = `/v1/${many.join('-')}`
  return {
    operationId,
    verb,
    type,
    types,
    one: one.join(' '),
    many: many.join(' '),
    field: one.join('_'),
    fields: many.join('_'),
    path: { list: place, get: `${place}/{id}`, create: `${place}/create` }[verb],
    scope: `${many.join('_')}:${verb === 'create' ? 'write' : 'read'}`,
  }
}

const wordsOf = (name: string) => name.split(/(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())

function toPlural(one: string): string {
  if (/[^aeiou]y$/.test(one)) return one.replace(/y$/, 'ies')
  return /(s|x|z|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

/** The name itself where it is of one already. */
function toSingular(many: string): string {
  if (/[^aeiou]ies$/.test(many)) return many.replace(/ies$/, 'y')
  if (/(ss|us|x|z|ch|sh)es$/.test(many)) return many.replace(/es$/, '')
  return /(ss|us)$/.test(many) ? many : many.replace(/s$/, '')
}
