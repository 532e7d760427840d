/** Installs what one command alone needs, by the lockfiles in the folders that are named. What is installed already, stays. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createCommand } from './command.ts'
import { root } from './contract/redocly.ts'

const about = 'Installs the packages that one command alone needs.'
const folders = createCommand('install', about).argument('<folders...>', 'with a lockfile').parse().args
folders.forEach(install)

function install(name: string): void {
  const folder = join(root, name)
  const lockedAt = changedAt(join(folder, 'package-lock.json'))
  if (lockedAt === undefined) {
    process.stderr.write(`There is no ${name} with a lockfile.\n`)
    process.exit(2)
  }
  // npm writes this last, so half an installation is none.
  const installedAt = changedAt(join(folder, 'node_modules/.package-lock.json'))
  if (installedAt !== undefined && installedAt >= lockedAt) return
  process.stdout.write(`Installing ${name}. This happens once, and takes some seconds.\n`)
  const options = ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', options, { stdio: 'inherit', cwd: root })
  if (status !== 0) {
    process.stderr.write(`${name} could not be installed. Is the npm registry within reach?\n`)
    process.exit(1)
  }
}

/** Milliseconds of Unix time; undefined for what is not there. */
function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
