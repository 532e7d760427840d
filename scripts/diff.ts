/**
 * What changed in a contract since it was last published, or since a revision of git, each change rated by the version that
 * it asks for. With `--enforce` it says nothing but whether a breaking change came without a new major version, and fails if
 * so; where the history is not there to tell, it says that, and fails if `CI` is `true`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from 'commander'
import { createCommand } from './command.ts'
import {
  firstVersion,
  NoHistory,
  type Published,
  publishedRevisions,
  type Revision,
  revisionOf,
  versionOf,
  withRevision,
} from './contract/history.ts'
import { ownBreaks, ownGains } from './contract/ownFacts.ts'
import { bundle, type Contract, ContractFault, contractFile, contractFiles, redocly, root } from './contract/redocly.ts'

interface Report {
  summary: { major: number; minor: number; patch: number }
}

interface Comparison {
  major: number
  minor: number
  patch: number
  /** Each change, in words. */
  describe: () => Promise<string>
}

const command = createCommand('contract:diff', 'Rates each change of a contract by the version that it asks for.')
  .argument('[revision]', 'compare with this revision of git, not with what was published last')
  .addOption(new Option('--contract <file>', 'the contract to look at').choices(contractFiles).default(contractFile))
  .option('--enforce', 'only fail when a breaking change came without a new major version')
  .parse()
const [name] = command.args
const { contract: file, enforce: isEnforced } = command.opts<{ contract: string; enforce?: boolean }>()

const nothing = `Nothing is published yet: there is no tag v*. Until there is one, info.version is ${firstVersion}.`

try {
  const now = { file, version: versionOf(await readFile(join(root, file), 'utf8'), file) }
  if (isEnforced) await enforce(now)
  else await show(name === undefined ? undefined : await revisionOf(name, file), now)
} catch (error) {
  if (!(error instanceof NoHistory || error instanceof ContractFault)) throw error
  process.stderr.write(`${error.message.trim()}\n`)
  process.exitCode = 1
}

/** A contract of this checkout. */
interface Current {
  file: string
  version: string
}

/** @param revision the one that was published last, if undefined */
async function show(revision: Revision | undefined, { file, version }: Current): Promise<void> {
  const { revisions, unseen } = await seenRevisions({ file, version })
  const since = revision ?? revisions[0]
  if (!since) {
    if (unseen !== undefined) throw new NoHistory(`what was published last cannot be told here: ${unseen}`)
    process.stdout.write(`${nothing}\n`)
    return
  }
  const { text, major, minor, patch } = await compare(since, file, async ({ describe, ...summary }) => ({
    ...summary,
    text: await describe(),
  }))
  const bump = major > 0 ? 'major' : minor > 0 ? 'minor' : patch > 0 ? 'patch' : undefined
  const asked = bump
    ? `This asks for a new ${bump} version, ${raised(since.version, bump)} or later; info.version is ${version}.`
    : 'No new version is asked for.'
  const lines = [
    `${file} since ${since.name} (version ${since.version}): ` +
      `${major} breaking (major), ${minor + patch} not breaking (${minor} minor, ${patch} patch).`,
    revisions.length === 0 && unseen === undefined ? nothing : asked,
  ]
  process.stdout.write(`${text.trimEnd()}\n\n${lines.join('\n')}\n`)
}

/** Nothing that is published under a major version breaks while it is not raised. */
async function enforce({ file, version }: Current): Promise<void> {
  const major = majorOf(version)
  if (major === undefined)
    throw new ContractFault(`info.version must be a semantic version like 1.2.3, not "${version}"`)
  const { revisions, unseen } = await seenRevisions({ file, version })
  if (unseen !== undefined) {
    const told = `whether the contract breaks what was published cannot be told here: ${unseen}`
    // Who has unpacked an archive can do nothing about it; what decides over a change has to know.
    if (process.env.CI === 'true')
      throw new NoHistory(`FAILED: ${told}\nCI needs the whole history, with its tags: fetch it first.`)
    process.stderr.write(`SKIPPED: ${told}\n`)
    return
  }
  if (revisions.length === 0) process.stdout.write(`${nothing}\n`)
  for (const since of revisions) {
    const before = majorOf(since.version)
    if (before === undefined || major > before) continue
    const text = await compare(since, file, async ({ major: breaking, describe }) => breaking > 0 && describe())
    if (text === false) continue
    throw new ContractFault(
      `${text}\n${file} breaks what clients of version ${since.version} (${since.name}) rely on, ` +
        `and info.version is ${version}. Raise it to ${before + 1}.0.0, or take the change back.`,
    )
  }
}

async function seenRevisions({ file, version }: Current): Promise<Published> {
  try {
    return await publishedRevisions(version, file)
  } catch (error) {
    if (error instanceof NoHistory) return { revisions: [], unseen: error.message }
    throw error
  }
}

/**
 * @param look is given the comparison, while that revision can be read
 * @throws ContractFault when there is something that cannot be read
 */
async function compare<Seen>(
  since: Revision,
  current: string,
  look: (comparison: Comparison) => Promise<Seen>,
): Promise<Seen> {
  return withRevision(since, current, async (file) => {
    const dereferenced = (path: string): Promise<Contract> => bundle({ file: path, dereferenced: true })
    const [json, before, now] = await Promise.all([
      diff(file, current, 'json'),
      dereferenced(file),
      dereferenced(current),
    ])
    const { summary } = JSON.parse(json) as Report
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

/** Undefined for what is no semantic version. */
function majorOf(version: string): number | undefined {
  const [, major] = /^(0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-+].*)?$/.exec(version) ?? []
  return major === undefined ? undefined : Number(major)
}

function raised(version: string, bump: 'major' | 'minor' | 'patch'): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number)
  if (bump === 'major') return `${major + 1}.0.0`
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}
