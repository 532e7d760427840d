/**
 * What changed in the contract since a revision of git, each change rated by the version that it asks for. With `--enforce`
 * it says nothing but whether a breaking change came without a new major version, and fails if so.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NoHistory, publishedBefore, revisionOf, versionOf, withRevision } from './contract/history.ts'
import { ContractFault, contractFile, redocly, root } from './contract/redocly.ts'

interface Report {
  summary: { major: number; minor: number; patch: number }
  /** The least that the version has to rise by. */
  bump?: 'major' | 'minor' | 'patch'
}

const [name, ...others] = process.argv.slice(2).filter((option) => option !== '--enforce')
if (others.length > 0 || name?.startsWith('-')) {
  process.stderr.write('Usage: npm run contract:diff [-- REVISION]\n')
  process.exit(2)
}

try {
  const version = versionOf(await readFile(join(root, contractFile), 'utf8'))
  if (process.argv.includes('--enforce')) await enforce(version)
  else await show(name, version)
} catch (error) {
  if (!(error instanceof NoHistory || error instanceof ContractFault)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function show(name: string | undefined, version: string): Promise<void> {
  const { previous, current } =
    name === undefined ? await publishedBefore(version) : { previous: await revisionOf(name) }
  const since = previous ?? current
  if (!since) throw new NoHistory(`no commit has ${contractFile}`)
  const { output, report, next } = await withRevision(since, async (path) => ({
    output: (await compare(path, 'stylish')).replaceAll(/\S*watchword-revision-[^/]+\//g, `${since.commit}:`),
    report: JSON.parse(await compare(path, 'json')) as Report,
    next: (await compare(path, 'next-version')).trim(),
  }))
  const { major, minor, patch } = report.summary
  const lines = [
    `${contractFile} since ${since.commit} (version ${since.version}): ` +
      `${major} breaking (major), ${minor + patch} not breaking (${minor} minor, ${patch} patch).`,
    report.bump
      ? `This asks for a new ${report.bump} version, ${next} or later; info.version is ${version}.`
      : 'No new version is asked for.',
  ]
  process.stdout.write(`${output.trimEnd()}\n\n${lines.join('\n')}\n`)
}

/** Nothing that is published breaks under the same major version: not since the last one, nor since this one was set. */
async function enforce(version: string): Promise<void> {
  const published = await publishedBefore(version).catch((error: unknown) => {
    if (error instanceof NoHistory) return error
    throw error
  })
  if (published instanceof NoHistory || published.cutOff) {
    const why = published instanceof NoHistory ? published.message : 'this clone is a shallow one'
    process.stderr.write(`SKIPPED: whether the contract breaks what was published cannot be told here: ${why}\n`)
    return
  }
  for (const since of [published.previous, published.current]) {
    if (!since || majorOf(version) > majorOf(since.version)) continue
    const { bump, output } = await withRevision(since, async (path) => ({
      bump: (JSON.parse(await compare(path, 'json')) as Report).bump,
      output: await compare(path, 'stylish'),
    }))
    if (bump !== 'major') continue
    process.stderr.write(
      `${output}\n${contractFile} breaks what clients of version ${since.version} (${since.commit}) rely on, ` +
        `and info.version is ${version}. Raise it to ${majorOf(since.version) + 1}.0.0, or take the change back.\n`,
    )
    process.exitCode = 1
    return
  }
}

/** @throws ContractFault */
async function compare(base: string, format: string): Promise<string> {
  const { output, errors } = await redocly('diff', base, contractFile, '--format', format, '--fail-on', 'none')
  if (output === '') throw new ContractFault(errors)
  return output
}

/** NaN, which is greater than nothing, for what is no semantic version. */
function majorOf(version: string): number {
  return Number(version.split('.')[0])
}
