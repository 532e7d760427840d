/** What generators of clients in other languages stumble over, each found with one that did. */
import {
  type Context,
  follow,
  isReference,
  type Json,
  type Location,
  nameOfFile,
  nameOfSchema,
  type Resolved,
  walkTree,
} from './walk.ts'

type Schema = Json & { properties?: Json; oneOf?: Json[]; anyOf?: Json[]; enum?: unknown[] }

/** The visitor of every schema: constants, names and patterns. */
export function requirePortableSchema(schema: Schema, context: Context): void {
  const report = (message: string) => context.report({ message, location: context.location })
  const name = nameOfSchema(context.location)
  if (name !== undefined && takenNames.includes(name))
    report(
      `${name} is the name of a type that openapi-generator has already: give it another, or describe it where it is used`,
    )
  if (schema.type === 'boolean' && schema.enum) report('a boolean cannot have an enum: say the constant with x-always')
  if (!isNamed(context.location)) {
    if (schema.oneOf || schema.anyOf) report('oneOf and anyOf must stand in a named component: refer to one')
    if (schema.properties) report('an object with properties must be a named component: refer to one')
  }
  if (typeof schema.pattern === 'string') {
    const fault = findFault(schema.pattern)
    if (fault) context.report({ message: fault, location: context.location.child(['pattern']) })
  }
  if (schema.oneOf) requireDiscriminator(schema, context)
}

/** What refers to a schema of that name gets a type of Java's, in each language: where it stands in a variant, nothing compiles. */
const takenNames = [
  ...['Array', 'ArrayList', 'BigDecimal', 'Date', 'DateTime', 'File', 'HashMap', 'List', 'LocalDate', 'LocalDateTime'],
  ...['LocalTime', 'Map', 'Set', 'Timestamp', 'URI', 'UUID'],
]

/** In `components`, or alone in a file, or a part of one that is put together. */
function isNamed({ pointer }: Location): boolean {
  return /^#\/(components\/schemas\/[^/]+)?(\/?allOf\/\d+)?$/.test(pointer)
}

const unshared: [RegExp, string][] = [
  [/\(\?(?!:)/, 'look-around, a named group or a flag'],
  [/\\[1-9k]/, 'a reference to a group'],
  [/\\[pP]/, 'a class of Unicode'],
  // In Python and Rust `\d` has the digits of every script; nor is `\b` or `\x20` the same everywhere.
  [/\\[A-Za-z0]/, 'a class or an escape by a letter: write out its characters'],
  [/\[\^?\]|\[[^\]]*\[/, 'an empty class, or one within another'],
  [/\[[^\]]*(&&|--|~~|\|\|)/, 'what some take for an operation on classes'],
  [/[*+?}][+?]/, 'a quantifier that is lazy or possessive'],
]
/** The most repetitions that RE2 takes. */
const repetitionsMax = 1000

/** @returns why a pattern does not mean the same in JavaScript, RE2 (Go), Rust and Python; undefined if it does */
function findFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return `the pattern cannot be read: ${(error as Error).message}`
  }
  // What is escaped stands for itself, whatever follows it.
  const bare = pattern.replaceAll(/\\[^A-Za-z0-9]/g, '_')
  const [, what] = unshared.find(([form]) => form.test(bare)) ?? []
  if (what)
    return `the pattern has ${what}, which not every language knows: say the rest of the rule in the description`
  const counts = Array.from(bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g), ([, least, most]) => Number(most || least))
  if (counts.some((count) => count > repetitionsMax)) return `the pattern repeats more than ${repetitionsMax} times`
  return undefined
}

/** Variants that are objects are told apart by a text, not by trying each. */
function requireDiscriminator({ oneOf = [], discriminator }: Schema, context: Context): void {
  const at = (index: number) => follow(context, oneOf[index], context.location.child(['oneOf', index]))
  const variants = oneOf.map((_variant, index) => at(index))
  if (!variants.some(({ node }) => node.type === 'object' || 'properties' in node)) return
  const { propertyName = '', mapping = {} } = (discriminator ?? {}) as {
    propertyName?: string
    mapping?: Record<string, string>
  }
  const report = (message: string) => context.report({ message, location: context.location })
  if (!variants.every((variant) => isTold(variant, propertyName, context))) {
    report('a oneOf of objects needs a discriminator, which in each is a required string with an enum of one value')
    return
  }
  const pointers = Object.entries(mapping).map(([value, $ref]) => {
    const { node, location } = follow(context, { $ref }, context.location)
    return resolveKind({ node, location }, propertyName, context) === value ? location.absolutePointer : undefined
  })
  const isWhole = variants.every(({ location }) => pointers.includes(location.absolutePointer))
  if (!isWhole || pointers.length !== variants.length)
    report(`the discriminator must map the value of ${propertyName} in each variant to that variant, and nothing else`)
}

function isTold(variant: Resolved, name: string, context: Context): boolean {
  const required = (variant.node.required ?? []) as string[]
  return required.includes(name) && typeof resolveKind(variant, name, context) === 'string'
}

function resolveKind({ node, location }: Resolved, name: string, context: Context): unknown {
  const field = follow(context, (node.properties as Json | undefined)?.[name], location).node as Schema
  if (field.type !== 'string') return undefined
  // OpenAPI 3.1 writes a list of one value as a constant.
  return field.enum?.length === 1 ? field.enum[0] : field.const
}

/** Some generators write all components into one folder, and some file systems know no capitals. */
export function requireNamesApart(root: Json, context: Context): void {
  const seen = new Map<string, Component>()
  for (const component of componentsIn(root, context)) {
    const { name, place, location } = component
    const other = seen.get(name.toLowerCase())
    if (!other) seen.set(name.toLowerCase(), component)
    else if (other.location.absolutePointer !== location.absolutePointer)
      context.report({ message: `${place} has the name of ${other.place}: give one of them another`, location })
  }
}

interface Component {
  name: string
  /** As a message names it. */
  place: string
  location: Location
}

/** What has a name in the bundled contract: each of `components`, and each file that is referred to but those of paths and events. */
function componentsIn(root: Json, context: Context): Component[] {
  const components = Object.entries((root.components ?? {}) as Json).flatMap(([section, named]) =>
    Object.entries(named as Json).map(([name, component]) => {
      const { location } = follow(context, component, context.location.child(['components', section, name]))
      return { name, place: `components/${section}/${name}`, location }
    }),
  )
  walkTree(root, context, (node, location) => {
    if (!isReference(node) || /^#\/(paths|(x-)?webhooks)\/[^/]+$/.test(location.pointer)) return
    const target = follow(context, node, location).location
    const name = nameOfFile(target)
    if (name !== undefined) components.push({ name, place: node.$ref, location: target })
  })
  return components
}

/** Those that nobody can take: of this machine, kept free for examples, and of who does own them. */
const addresses =
  /^(localhost|127\.0\.0\.1|([\w-]+\.)*example\.(com|org|net)|www\.apache\.org|www\.standardwebhooks\.com)$/

/** Who clicks in the reference must not come to a stranger. */
export function requireOwnedAddresses(root: Json, context: Context): void {
  walkTree(root, context, (node, location) => {
    if (typeof node !== 'string') return
    for (const [, host = ''] of node.matchAll(/\bhttps?:\/\/([^\s/:)\]"'`>]+)/g)) {
      if (!addresses.test(host)) context.report({ message: `${host} is no address of ours: leave it out`, location })
    }
  })
}
