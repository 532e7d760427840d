/** The code of the version before this one, as its history has it, in a folder of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type InstalledPackage, installPackage } from '../support/installedPackage.ts'
import type { Placed } from './site.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const git = async (...words: string[]) => (await run('git', words, { cwd: root })).stdout.trim()

export interface Earlier extends Placed {
  remove: () => Promise<void>
}

/**
 * That of the newest version that was tagged; before there is one, that from before the newest migration. `UPGRADE_FROM`
 * names another one.
 *
 * @returns undefined where there is no history, which is said
 */
export async function findEarlier(): Promise<string | undefined> {
  try {
    const { UPGRADE_FROM: given } = process.env
    const tags = await git('tag', '--list', 'v*', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-v:refname')
    const revision = given || tags.split('\n')[0] || `${await newestMigration()}^`
    return given || tags ? revision : await git('rev-parse', '--short', '--verify', `${revision}^{commit}`)
  } catch {
    process.stdout.write(
      '  skipped: there is no git history with an earlier version (a shallow clone, or none at all)\n',
    )
    return undefined
  }
}

/** The commit that brought it: that of the newest that is there, as one that never was in a version may be gone again. */
async function newestMigration(): Promise<string> {
  const folder = 'src/store/migrations'
  const newest = (await readdir(join(root, folder)))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .at(-1)
  return git('log', '-1', '--format=%H', '--diff-filter=A', '--', `${folder}/${newest}`)
}

export async function openEarlier(revision: string): Promise<Earlier> {
  const folder = await openCode(revision)
  if (await isFitFor(folder)) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else await installIn(folder, '--omit=dev')
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The package of that code, installed. */
export async function openEarlierPackage(revision: string): Promise<InstalledPackage & Earlier> {
  const checkout = await openCode(revision)
  await installIn(checkout, '--ignore-scripts', '--prefer-offline')
  const installed = await installPackage(checkout)
  await rm(checkout, { recursive: true })
  return installed
}

/** @returns its folder */
async function openCode(revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-earlier-'))
  const packed = join(folder, 'code.tar')
  await git('archive', '--format=tar', `--output=${packed}`, revision)
  await run('tar', ['-xf', packed, '-C', folder])
  await rm(packed)
  return folder
}

async function installIn(folder: string, ...flags: string[]): Promise<void> {
  await run('npm', ['ci', ...flags, '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
}

/** Whether the packages of this checkout are those that the code there asks for, and maybe more. */
async function isFitFor(folder: string): Promise<boolean> {
  const wantedBy = async (place: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(place, 'package.json'), 'utf8')).dependencies
  const [theirs, ours] = [await wantedBy(folder), await wantedBy(root)]
  return Object.entries(theirs).every(([name, version]) => ours[name] === version)
}
