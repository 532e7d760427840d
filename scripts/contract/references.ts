/**
 * References: each leads somewhere, and somebody comes to each component. Said once: while one leads nowhere, the rules of
 * this folder that would stumble over it say nothing.
 */
import { nearest } from './nearest.ts'
import { type Context, isReference, type Json, type Location, walkTree } from './walk.ts'

/** What a rule sees of one reference. */
interface Target {
  node?: unknown
  location?: Location
}

interface Seen {
  /** The places that are referred to. */
  used: Set<string>
  /** Names that were meant, as far as can be told, by references that lead nowhere. */
  meant: Set<string>
  /** Where those stand. */
  told: Set<string>
}

/** @returns the visitors of the rule: it has to have seen all references before it knows what nobody uses */
export function requireReferences() {
  const seen: Seen = { used: new Set(), meant: new Set(), told: new Set() }
  let components: Json = {}
  const tell = ($ref: string, location: Location, context: Context) => {
    // What is referred to from several places is walked as often.
    if (seen.told.has(location.absolutePointer)) return
    seen.told.add(location.absolutePointer)
    context.report({ message: describeReference($ref, components, seen), location })
  }
  return {
    Root: {
      enter: (root: Json) => {
        components = (root.components ?? {}) as Json
      },
      leave: (_root: Json, context: Context) => requireUse(components, seen, context),
    },
    ref: {
      leave: ({ $ref }: { $ref: string }, context: Context, { node, location }: Target) => {
        if (node === undefined) tell($ref, context.location, context)
        else if (location) seen.used.add(location.absolutePointer)
      },
    },
    DiscriminatorMapping: (mapping: Record<string, string>, context: Context) => {
      for (const [value, $ref] of Object.entries(mapping)) {
        if (context.resolve({ $ref }).node === undefined) tell($ref, context.location.child([value]), context)
      }
    },
  }
}

function describeReference($ref: string, components: Json, { meant }: Seen): string {
  const found = nearest($ref, listNames(components))
  if (found === undefined) return `${$ref} is not there`
  meant.add(found)
  return `${$ref} is not there; did you mean ${found}?`
}

/** As a reference names them. */
function listNames(components: Json): string[] {
  return Object.entries(components).flatMap(([section, named]) =>
    Object.keys(named as Json).map((name) => `#/components/${section}/${name}`),
  )
}

function requireUse(components: Json, { used, meant }: Seen, context: Context): void {
  for (const [section, named] of Object.entries(components)) {
    // Those are referred to by their name alone.
    if (section === 'securitySchemes') continue
    for (const name of Object.keys(named as Json)) {
      const pointer = `#/components/${section}/${name}`
      const location = context.location.child(['components', section, name])
      const own = location.absolutePointer
      const isUsed = [...used].some((place) => place === own || place.startsWith(`${own}/`))
      if (isUsed || meant.has(pointer)) continue
      context.report({ message: `nothing refers to ${pointer}`, location })
    }
  }
}

/** Whether every reference of the contract leads somewhere. */
function isWhole(root: Json, context: Context): boolean {
  let lost = false
  walkTree(root, context, (node, { source }) => {
    lost ||= isReference(node) && context.resolve(node, source.absoluteRef).node === undefined
    return !lost
  })
  return !lost
}

const whole = new WeakMap<Json, boolean>()

/** A rule of the whole document that is silent while a reference leads nowhere. */
export function onceWhole(rule: (root: Json, context: Context) => void): (root: Json, context: Context) => void {
  return (root, context) => {
    if (!whole.has(root)) whole.set(root, isWhole(root, context))
    if (whole.get(root)) rule(root, oncePerPlace(context))
  }
}

/** An answer that several operations share has its faults once. */
function oncePerPlace(context: Context): Context {
  const told = new Set<string>()
  return {
    location: context.location,
    resolve: context.resolve,
    report: (problem) => {
      const text = `${problem.location?.absolutePointer} ${problem.message}`
      if (!told.has(text)) context.report(problem)
      told.add(text)
    },
  }
}
