/** How a change of a choice, of what is always the same, and of what tells the parts of a choice apart is rated. */
import { before, type Change, findPartName, formatOwner, type Visit } from './change.ts'

type Rule = (change: Change, visit: Visit) => void

/** In place of Redocly's own rule, which takes every choice of an answer for closed, and lets it lose parts. */
export const unionRules = {
  'choice-loses-forms': () => inChoices(reportLoss),
  'closed-choice-gains-forms': () => inChoices(reportGain({ mayGrow: false })),
  'open-choice-gains-forms': () => inChoices(reportGain({ mayGrow: true })),
  'combination-changed': () => ({
    Schema: { OneOf: reportChoice, AnyOf: reportChoice, AllOf: reportChoice },
    AllOf: { Schema: reportCombined(wordsOf) },
  }),
  'constant-changed': () => ({ Schema: reportConstant }),
  'discriminator-changed': () => ({
    Schema: { Discriminator: reportDiscriminator },
    DiscriminatorMapping: { Schema: reportMapping },
  }),
  'schema-renamed': () => ({ NamedSchemas: { Schema: reportRenamed } }),
}

function inChoices(rule: Rule) {
  return { OneOf: { Schema: rule }, AnyOf: { Schema: rule } }
}

/** A request in that form is refused; a client has code for an answer in it. */
const reportLoss: Rule = (change, { report, getDirections }) => {
  if (change.kind === 'removed' && getDirections().length > 0) report({ message: `${wordsOf(change)} was removed.` })
}

function reportGain({ mayGrow }: { mayGrow: boolean }): Rule {
  return (change, { report, getDirections }) => {
    if (change.kind !== 'added' || !getDirections().includes('response')) return
    // What was published counts, as with lists of values.
    const couldGrow = before({ node: change.node.parent?.parent ?? {} })['x-may-grow'] === true
    if (couldGrow === mayGrow) report({ message: `${wordsOf(change)} was added.` })
  }
}

/** What is combined: more of it refuses more requests, and less of it takes something from answers. */
function reportCombined(nameIt: (change: Change) => string): Rule {
  return (change, { report, getDirections }) => {
    if (change.kind === 'modified') return
    if (getDirections().includes(change.kind === 'added' ? 'request' : 'response'))
      report({ message: `${nameIt(change)} was ${change.kind}.` })
  }
}

/** A whole `oneOf`, `anyOf` or `allOf`. */
const reportChoice = reportCombined(({ node }) => listWords(node))

/** `x-always` is a list of one value: a boolean's. */
const reportConstant: Rule = (change, { report, getDirections }) => {
  if (change.kind !== 'modified' || change.property !== 'x-always') return
  const [was, is] = [change.base?.value, change.revision?.value]
  const told = `\`x-always\`${formatOwner(change)}`
  if (was === undefined) {
    if (getDirections().includes('request')) report({ message: `${told} is ${is} now, and there was none.` })
  } else if (is !== undefined) report({ message: `${told} was ${was}, and is ${is}.` })
  else if (getDirections().includes('response'))
    report({ message: `${told} was removed: it was ${was}, and can be either now.` })
}

/** The bytes are the same; the types of generated clients are not. */
const reportDiscriminator: Rule = (change, { report }) => {
  const name = formatOwner({ node: change.node.parent ?? {} })
  if (change.kind === 'removed')
    report({ message: `The discriminator${name} was removed: generated clients tell the forms apart by it.` })
  if (change.kind === 'modified')
    report({ message: `The discriminator${name} is another field: generated clients go by it.` })
}

const reportMapping: Rule = (change, { report }) => {
  if (change.kind === 'removed')
    report({ message: `\`${change.node.base?.key}\` leads to no form any more: generated clients choose by it.` })
}

const reportRenamed: Rule = (change, { report }) => {
  if (change.kind === 'removed')
    report({ message: `The schema \`${change.node.base?.key}\` is gone: generated clients name a type after it.` })
}

/** The part of a list, by its name: "`NotVerified` in `oneOf` of `data`". */
function wordsOf({ node }: Change): string {
  return `\`${findPartName(node)}\` in ${listWords(node.parent ?? {})}`
}

function listWords(list: Pick<Change['node'], 'base' | 'revision' | 'parent'>): string {
  return `\`${(list.revision ?? list.base)?.key}\`${formatOwner({ node: list.parent ?? {} })}`
}
