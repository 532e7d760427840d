/** Sizes in words: each is a limit that the contract has, so that whoever changes the limit is told of its texts. */
import { type Context, type Json, walkTree } from './walk.ts'

/** A size that somebody may have to plan for; small ones are readily said for other reasons. */
const size = /\b(\d{1,3}(?:,\d{3})+|\d{4,})\s+(bytes|characters)\b/g
/** The names of the limits of each unit. */
const names = { bytes: /^x-max-.*-bytes$/, characters: /^(maxLength|x-max-.*-characters)$/ }

type Unit = keyof typeof names

export function requireTrueSizes(root: Json, context: Context): void {
  const limits = limitsIn(root, context)
  walkTree(root, context, (text, location) => {
    if (typeof text !== 'string') return
    for (const [told, number = '', unit] of text.matchAll(size)) {
      const known = limits[unit as Unit]
      if (known.has(Number(number.replaceAll(',', '')))) continue
      const message = `no limit of the contract is ${told.replace(/\s+/, ' ')}: those in ${unit} are ${[...known].join(', ')}`
      context.report({ message, location })
    }
  })
}

function limitsIn(root: Json, context: Context): Record<Unit, Set<number>> {
  const limits = { bytes: new Set<number>(), characters: new Set<number>() }
  walkTree(root, context, (node, _location, key) => {
    for (const unit of ['bytes', 'characters'] as const)
      if (typeof node === 'number' && names[unit].test(key)) limits[unit].add(node)
  })
  return limits
}
