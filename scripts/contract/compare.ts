/** What changed between two contracts, each change rated by the version that it asks for. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Earlier } from './history.ts'
import { ownBreaks, ownGains } from './ownFacts.ts'
import { bundle, type Contract, ContractFault, redocly, root } from './redocly.ts'

export type Bump = 'major' | 'minor' | 'patch'

export interface Comparison extends Record<Bump, number> {
  /** Each change, in words. */
  describe: () => Promise<string>
}

/**
 * @param current the file of the contract as it is now
 * @param look is given the comparison, while the earlier contract can be read
 * @throws ContractFault when there is something that cannot be read
 */
export async function compare<Seen>(
  since: Earlier,
  current: string,
  look: (comparison: Comparison) => Promise<Seen>,
): Promise<Seen> {
  return since.open((earlier) =>
    inOneFile(earlier, (before) =>
      inOneFile(current, (now) => compareFiles({ before, now, name: since.name, label: current }, look)),
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

async function compareFiles<Seen>(
  { before, now, name, label }: Files,
  look: (comparison: Comparison) => Promise<Seen>,
): Promise<Seen> {
  const dereferenced = (path: string): Promise<Contract> => bundle({ file: path, dereferenced: true })
  const [json, ...contracts] = await Promise.all([diff(before, now, 'json'), dereferenced(before), dereferenced(now)])
  const { summary } = JSON.parse(json) as { summary: Record<Bump, number> }
  const [breaks, gains] = [ownBreaks(...contracts), ownGains(...contracts)]
  const describe = async () => {
    const text = (await diff(before, now, 'stylish'))
      .replaceAll(/\S*watchword-revision-[^/]+\//g, `${name}:`)
      .replaceAll(/\S*watchword-bundled-[^/]+\/contract\.json/g, `${label}, bundled`)
    const own = [...breaks.map((line) => `  ✖ major  ${line}\n`), ...gains.map((line) => `  ✔ minor  ${line}\n`)]
    return [text, ...own].join('')
  }
  return look({ ...summary, major: summary.major + breaks.length, minor: summary.minor + gains.length, describe })
}

/**
 * Redocly takes a component that has moved to a file of its own for one that is gone, so a contract in several files is
 * compared as one document.
 *
 * @param look is given the path of the contract itself where it is in one file
 */
async function inOneFile<Seen>(path: string, look: (path: string) => Promise<Seen>): Promise<Seen> {
  const refersToOthers = /"?\$ref"?: *["']?[^#"'\s]/.test(await readFile(resolve(root, path), 'utf8'))
  if (!refersToOthers) return look(path)
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bundled-'))
  try {
    const bundled = join(folder, 'contract.json')
    await writeFile(bundled, JSON.stringify(await bundle({ file: path }), null, 2))
    return await look(bundled)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function diff(base: string, current: string, format: string): Promise<string> {
  const { output, errors } = await redocly('diff', base, current, '--format', format, '--fail-on', 'none')
  if (output === '') throw new ContractFault(errors)
  return output
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
