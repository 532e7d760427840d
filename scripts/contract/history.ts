/** The contract as it was, at one revision of git and at those that published its versions. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { ContractFault, contractFile, root } from './redocly.ts'

const run = promisify(execFile)

export class NoHistory extends Error {
  override readonly name = 'NoHistory'
}

/** @throws NoHistory in git's words */
async function git(...options: string[]): Promise<string> {
  try {
    const { stdout } = await run('git', options, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new NoHistory(stderr?.trim() || message)
  }
}

export interface Revision {
  commit: string
  /** Its `info.version`. */
  version: string
}

/** @throws NoHistory when there is no such revision, or no contract in it */
export async function revisionOf(name: string): Promise<Revision> {
  const commit = await git('rev-parse', '--short', '--verify', '--end-of-options', `${name}^{commit}`).catch(() => {
    throw new NoHistory(`git knows no revision "${name}"`)
  })
  return { commit, version: await versionAt(commit) }
}

async function versionAt(commit: string): Promise<string> {
  return versionOf(await git('show', `${commit}:${contractFile}`))
}

export interface Published {
  /** Newest first: of every version the newest commit that has it, and the first one that has the version of now. */
  revisions: Revision[]
  /** Whether there is more history than can be seen, because the clone is a shallow one. */
  cutOff: boolean
}

/** @throws NoHistory */
export async function publishedRevisions(version: string): Promise<Published> {
  // Also what was on branches that were merged.
  const commits = (await git('log', '--full-history', '--format=%h', '--', contractFile)).split('\n').filter(Boolean)
  const newest = new Map<string, Revision>()
  let first: Revision | undefined
  for (const commit of commits) {
    // Not in every commit that touched it is there a contract that can be read: it may have been moved, or broken.
    const found = await versionAt(commit).catch(() => undefined)
    if (found === undefined) continue
    const revision = { commit, version: found }
    if (!newest.has(found)) newest.set(found, revision)
    if (found === version) first = revision
  }
  const revisions = new Set([...newest.values(), ...(first ? [first] : [])])
  return { revisions: [...revisions], cutOff: (await git('rev-parse', '--is-shallow-repository')) === 'true' }
}

/** Calls `look` with the path of the contract of that revision, with all the files that it may refer to beside it. */
export async function withRevision<Seen>({ commit }: Revision, look: (path: string) => Promise<Seen>): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-revision-'))
  try {
    const archive = join(folder, 'revision.tar')
    await git('archive', '--output', archive, commit)
    await run('tar', ['-xf', archive, '-C', folder])
    return await look(join(folder, contractFile))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws ContractFault when it is no YAML */
export function versionOf(text: string): string {
  try {
    return String((parse(text) as { info?: { version?: unknown } } | null)?.info?.version)
  } catch (error) {
    throw new ContractFault(`${contractFile} cannot be read: ${(error as Error).message}`)
  }
}
