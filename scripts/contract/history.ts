/** A contract as it was, at one revision of git and at those that published its versions. */
import { execFile } from 'node:child_process'
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
  /** What git knows it by: the tag that published it, or its commit. */
  name: string
  /** Its `info.version`. */
  version: string
}

/** @throws NoHistory when there is no such revision, or no contract in it */
export async function revisionOf(name: string, file: string): Promise<Revision> {
  const commit = await git('rev-parse', '--short', '--verify', '--end-of-options', `${name}^{commit}`).catch(() => {
    throw new NoHistory(`git knows no revision "${name}"`)
  })
  return { name: commit, version: await versionAt(commit, file) }
}

async function versionAt(name: string, file: string): Promise<string> {
  return versionOf(await git('show', `${name}:./${file}`), file)
}

/** The version of the first contract that is published. */
export const firstVersion = '1.0.0'

export interface Published {
  /** Newest first. */
  revisions: Revision[]
  /** Why that may not be all. */
  unseen?: string
}

/**
 * What is published: what has a tag `v*` in the history of this commit. A tag elsewhere does not count: a branch that is older
 * cannot have what came with it.
 *
 * @param version that of now
 * @throws NoHistory where there is no git, no commit with a contract, or not all of what is published
 */
export async function publishedRevisions(version: string, file: string): Promise<Published> {
  // There is none where this was unpacked within the repository of something else.
  if ((await git('log', '-1', '--format=%h', '--', file)) === '') throw new NoHistory(`no commit has ${file}`)
  const revisions: Revision[] = []
  for (const name of await tagsOf('--merged', 'HEAD')) {
    const hasContract = (await git('ls-tree', '--name-only', name, '--', file)) !== ''
    if (hasContract) revisions.push({ name, version: await versionAt(name, file) })
  }
  const unseen = await whatIsUnseen(revisions, version)
  return unseen === undefined ? { revisions } : { revisions, unseen }
}

/** By version, the newest first: a candidate, `-rc.1`, comes before its version. */
async function tagsOf(...options: string[]): Promise<string[]> {
  const sorted = ['-c', 'versionsort.suffix=-', 'tag', '--sort=-version:refname', '--list', 'v*']
  return (await git(...sorted, ...options)).split('\n').filter(Boolean)
}

/** Undefined where it is all there to be seen. */
async function whatIsUnseen(seen: Revision[], version: string): Promise<string | undefined> {
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true') return 'this clone is a shallow one'
  if (seen.length > 0) return undefined
  if ((await tagsOf('--no-merged', 'HEAD')).length > 0) return 'the tags v* are not in the history of this commit'
  const refused = await git('config', '--get-regexp', '^remote\\..*\\.tagopt$', '^--no-tags$').catch(() => '')
  if (refused !== '') return 'this clone is one without tags'
  // Not every clone without tags tells that it is one.
  return version === firstVersion
    ? undefined
    : `there is no tag v*, and info.version is ${version}; until the first tag, it is ${firstVersion}`
}

/** Calls `look` with the path of the contract of that revision, with all the files that it may refer to beside it. */
export async function withRevision<Seen>(
  { name }: Revision,
  file: string,
  look: (path: string) => Promise<Seen>,
): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-revision-'))
  try {
    const archive = join(folder, 'revision.tar')
    await git('archive', '--output', archive, name)
    await run('tar', ['-xf', archive, '-C', folder])
    return await look(join(folder, file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @throws ContractFault when it is no YAML */
export function versionOf(text: string, file: string): string {
  try {
    return String((parse(text) as { info?: { version?: unknown } } | null)?.info?.version)
  } catch (error) {
    throw new ContractFault(`${file} cannot be read: ${(error as Error).message}`)
  }
}
