/** What changed between two contracts, each change rated by the version that it asks for. */
import type { Earlier } from './history.ts'
import { ownBreaks, ownGains } from './ownFacts.ts'
import { bundle, type Contract, ContractFault, redocly } from './redocly.ts'

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
  return since.open(async (file) => {
    const dereferenced = (path: string): Promise<Contract> => bundle({ file: path, dereferenced: true })
    const [json, before, now] = await Promise.all([
      diff(file, current, 'json'),
      dereferenced(file),
      dereferenced(current),
    ])
    const { summary } = JSON.parse(json) as { summary: Record<Bump, number> }
    const [breaks, gains] = [ownBreaks(before, now), ownGains(before, now)]
    const describe = async () => {
      const text = (await diff(file, current, 'stylish')).replaceAll(/\S*watchword-revision-[^/]+\//g, `${since.name}:`)
      const own = [...breaks.map((line) => `  ✖ major  ${line}\n`), ...gains.map((line) => `  ✔ minor  ${line}\n`)]
      return [text, ...own].join('')
    }
    return look({
      ...summary,
      major: summary.major + breaks.length,
      minor: summary.minor + gains.length,
      describe,
    })
  })
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
