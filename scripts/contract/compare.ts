/** What changed between two contracts, each change rated by the version that it asks for. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { type Bump, type RatedChange, reportChanges } from './changeReport.ts'
import type { Earlier } from './history.ts'
import { isTextOf30 } from './openapi31.ts'
import { ownBreaks, ownGains } from './ownFacts.ts'
import { withoutParts } from './parts.ts'
import { bundle, type Contract, ContractFault, redocly, root } from './redocly.ts'

export interface Comparison extends Record<Bump, number> {
  /** Each change, in words. */
  text: string
  /** Those alone that are major. */
  breaks: string
}

/**
 * @param current the file of the contract as it is now
 * @throws ContractFault when there is something that cannot be read
 */
export async function compare(since: Earlier, current: string): Promise<Comparison> {
  return since.open((earlier) =>
    inOneFile(earlier, (before) =>
      inOneFile(current, (now) => compareFiles({ before, now, name: since.name, label: current })),
    ),
  )
}

interface Files {
  before: string
  now: string
  /** For people. */
  name: string
  label: string
}

async function compareFiles({ before, now, name, label }: Files): Promise<Comparison> {
  const dereferenced = (file: string): Promise<Contract> => bundle({ file, dereferenced: true })
  const [report, ...contracts] = await Promise.all([diff(before, now), dereferenced(before), dereferenced(now)])
  const [breaks, gains] = [ownBreaks(...contracts), ownGains(...contracts)]
  const documents = { before: await readDocument(before), now: await readDocument(now) }
  const isEarlier = (file: string) => resolve(root, file) === resolve(root, before)
  const nameOf = (file: string) =>
    file
      .replace(/^\S*watchword-revision-[^/]+\//, `${name}:`)
      .replace(/^\S*watchword-bundled-[^/]+\/contract\.json$/, `${isEarlier(file) ? name : label}, bundled`)
  const changes = withKeptTags(report.changes).map(rated)
  const told = (list: RatedChange[]) => reportChanges(list, { ...documents, nameOf })
  const ownOnes = breaks.map((line) => `  ✖ major  ${line}\n`)
  const count = (bump: Bump) => changes.filter(({ impact }) => impact === bump).length
  return {
    major: count('major') + breaks.length,
    minor: count('minor') + gains.length,
    patch: count('patch'),
    text: [told(changes), ...ownOnes, ...gains.map((line) => `  ✔ minor  ${line}\n`)].join(''),
    breaks: [told(changes.filter(({ impact }) => impact === 'major')), ...ownOnes].join(''),
  }
}

/** Redocly takes all that is added for something that clients can use, and a hint at the form of a key for that form. */
function rated(change: RatedChange): RatedChange {
  const isWords = words.includes(change.typeName) || change.property === 'bearerFormat'
  return isWords ? { ...change, impact: 'patch', verdicts: [] } : change
}

/** A tag whose words are all others is the same tag: Redocly takes it for one that is gone, and one that is new. */
function withKeptTags(changes: readonly RatedChange[]): RatedChange[] {
  const tagsOf = (kind: RatedChange['kind']) =>
    changes.filter((change) => change.typeName === 'Tag' && change.kind === kind)
  const nameIn = (place: RatedChange['base']) => (place?.value as { name?: string } | undefined)?.name
  const kept = new Map(
    tagsOf('added').flatMap((added) => {
      const removed = tagsOf('removed').find(({ base }) => nameIn(base) === nameIn(added.revision))
      return removed ? [[added, removed] as const] : []
    }),
  )
  const gone = new Set(kept.values())
  return changes
    .filter((change) => !gone.has(change))
    .map((change) =>
      kept.has(change) ? { ...change, kind: 'modified', property: 'description', impact: 'patch' } : change,
    )
}

const words = ['Example', 'ExamplesMap', 'ExternalDocs', 'Contact', 'License', 'Link', 'LinksMap']

/** In one file. JSON is YAML too, and is read sooner as what it is. */
async function readDocument(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(resolve(root, path), 'utf8')
  return path.endsWith('.json') ? JSON.parse(text) : parse(text)
}

/**
 * Redocly takes a component that has moved to a file of its own for one that is gone, and the parts of an `allOf`
 * for other schemas than the whole, so a contract that has these is compared as one document without them.
 *
 * @param look is given the path of the contract itself where it has none
 */
async function inOneFile<Seen>(path: string, look: (path: string) => Promise<Seen>): Promise<Seen> {
  const text = await readFile(resolve(root, path), 'utf8')
  if (!/"?\$ref"?: *["']?[^#"'\s]|\ballOf"?:/.test(text) && isTextOf30(text)) return look(path)
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bundled-'))
  try {
    const bundled = join(folder, 'contract.json')
    await writeFile(bundled, JSON.stringify(withoutParts(await bundle({ file: path })), null, 2))
    return await look(bundled)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function diff(base: string, current: string): Promise<{ changes: RatedChange[] }> {
  const { output, errors } = await redocly('diff', base, current, '--format', 'json', '--fail-on', 'none')
  if (output === '') throw new ContractFault(errors)
  return JSON.parse(output)
}

/** Undefined where nothing changed that asks for one. */
export function bumpFor({ major, minor, patch }: Record<Bump, number>): Bump | undefined {
  if (major > 0) return 'major'
  if (minor > 0) return 'minor'
  return patch > 0 ? 'patch' : undefined
}

export function raised(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number)
  if (bump === 'major') return `${major + 1}.0.0`
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}
