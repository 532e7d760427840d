/** A contract as it was: in the versions that are published, whose files are in this repository, and at a revision of git. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { ContractFault, root } from './redocly.ts'

const run = promisify(execFile)

export class NoHistory extends Error {
  override readonly name = 'NoHistory'
}

/** @throws NoHistory in git's words */
export async function git(...options: string[]): Promise<string> {
  try {
    const { stdout } = await run('git', options, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new NoHistory(stderr?.trim() || message)
  }
}

/** A contract to compare with. */
export interface Earlier {
  /** For people. */
  name: string
  /** Its `info.version`. */
  version: string
  /** Calls `look` with the path of the contract, which may be gone afterward. */
  open: <Seen>(look: (path: string) => Promise<Seen>) => Promise<Seen>
}

/** Has a folder for each version, with each contract in one document. `npm run release` writes it; nothing else changes it. */
export const publishedFolder = 'contract/published'

/** The published versions of a contract, the newest first. */
export function publishedVersions(file: string): Earlier[] {
  const folder = join(root, publishedFolder)
  const versions = existsSync(folder) ? readdirSync(folder) : []
  return versions
    .filter((version) => existsSync(join(folder, version, file)))
    .toSorted((a, b) => compareVersions(b, a))
    .map((version) => ({
      name: `version ${version}`,
      version,
      open: (look) => look(join(publishedFolder, version, file)),
    }))
}

/** @returns less than 0 when `a` comes before `b`; both are semantic versions without a suffix */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true })
}

/** @throws NoHistory when there is no such revision, or no contract in it */
export async function readRevision(name: string, file: string): Promise<Earlier> {
  const commit = await git('rev-parse', '--short', '--verify', '--end-of-options', `${name}^{commit}`).catch(() => {
    throw new NoHistory(`git knows no revision "${name}"`)
  })
  const version = parseVersion(await git('show', `${commit}:./${file}`), file)
  return {
    name: `${commit} (version ${version})`,
    version,
    open: (look) => withRevision(commit, (folder) => look(join(folder, file))),
  }
}

/** Calls `look` with a folder that has all files of that revision: a contract may refer to others. */
async function withRevision<Seen>(commit: string, look: (folder: string) => Promise<Seen>): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-revision-'))
  try {
    const archive = join(folder, 'revision.tar')
    await git('archive', '--output', archive, commit)
    await run('tar', ['-xf', archive, '-C', folder])
    return await look(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws ContractFault when it is no YAML */
export function parseVersion(text: string, file: string): string {
  try {
    return String((parse(text) as { info?: { version?: unknown } } | null)?.info?.version)
  } catch (error) {
    throw new ContractFault(`${file} cannot be read: ${(error as Error).message}`)
  }
}
