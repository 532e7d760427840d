/**
 * What changed in a contract since it was last published, or since a revision of git, each change rated by the version that
 * it asks for. With `--enforce` it fails if a breaking change came without a new major version, and names the breaking changes
 * alone.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from 'commander'
import { createCommand } from './command.ts'
import { bumpFor, compare, raised } from './contract/compare.ts'
import {
  type Earlier,
  NoHistory,
  parseVersion,
  publishedFolder,
  publishedVersions,
  readRevision,
} from './contract/history.ts'
import { ContractFault, contractFile, contractFiles, root } from './contract/redocly.ts'

const command = createCommand('contract:diff', 'Rates each change of a contract by the version that it asks for.')
  .argument('[revision]', 'compare with this revision of git, not with what was published last')
  .addOption(new Option('--contract <file>', 'the contract to look at').choices(contractFiles).default(contractFile))
  .option('--enforce', 'only fail when a breaking change came without a new major version')
  .parse()
const [name] = command.args
const { contract: file, enforce: isEnforced } = command.opts<{ contract: string; enforce?: boolean }>()

const nothing = `Nothing is published yet: ${publishedFolder} has no version of ${file}.`

try {
  const version = parseVersion(await readFile(join(root, file), 'utf8'), file)
  if (isEnforced) await enforce(version)
  else await show(name === undefined ? publishedVersions(file)[0] : await readRevision(name, file), version)
} catch (error) {
  if (!(error instanceof NoHistory || error instanceof ContractFault)) throw error
  process.stderr.write(`${error.message.trim()}\n`)
  process.exitCode = 1
}

async function show(since: Earlier | undefined, version: string): Promise<void> {
  if (!since) {
    process.stdout.write(`${nothing}\n`)
    return
  }
  const { text, major, minor, patch } = await compare(since, file)
  const bump = bumpFor({ major, minor, patch })
  const asked = bump
    ? `This asks for a new ${bump} version, ${raised(since.version, bump)} or later; info.version is ${version}.`
    : 'No new version is asked for.'
  const lines = [
    `${file} since ${since.name}: ` +
      `${major} breaking (major), ${minor + patch} not breaking (${minor} minor, ${patch} patch).`,
    publishedVersions(file).length === 0 ? nothing : asked,
  ]
  process.stdout.write(`${text.trimEnd()}\n\n${lines.join('\n')}\n`)
}

/** Nothing that is published under a major version breaks while it is not raised. */
async function enforce(version: string): Promise<void> {
  const major = parseMajor(version)
  if (major === undefined)
    throw new ContractFault(`info.version must be a semantic version like 1.2.3, not "${version}"`)
  const published = publishedVersions(file)
  if (published.length === 0) process.stdout.write(`${nothing}\n`)
  for (const since of published) {
    const before = parseMajor(since.version)
    if (before === undefined || major > before) continue
    const { major: count, breaks } = await compare(since, file)
    if (count === 0) continue
    throw new ContractFault(
      `${breaks}\n${file} breaks what clients of version ${since.version} rely on, ` +
        `and info.version is ${version}. Raise it to ${before + 1}.0.0, or take the change back.`,
    )
  }
}

/** Undefined for what is no semantic version. */
function parseMajor(version: string): number | undefined {
  const [, major] = /^(0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-+].*)?$/.exec(version) ?? []
  return major === undefined ? undefined : Number(major)
}
