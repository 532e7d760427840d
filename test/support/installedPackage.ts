/** The package as an operator has it: installed in an empty folder, away from this checkout, and without a network. */
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface InstalledPackage {
  /** The folder that it was installed into. */
  folder: string
  command: string
  /**
   * What a service is started by: its command, where this machine allows it as a user without rights, on a file system where
   * nothing can be written but in its own DATA_DIR.
   */
  service: readonly string[]
  /** Whether it does. */
  isApart: boolean
}

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** In mounts of its own, of which none is seen outside. Everything is taken over by the next command: a signal reaches the service. */
const apart = `set -e
mount --make-rprivate /
if [ -n "$DATA_DIR" ]; then
  # What is not there yet is made by the service, in a folder that it may write.
  [ -d "$DATA_DIR" ] && own=$DATA_DIR || own=$(dirname "$DATA_DIR")
  chown -R 65534:65534 "$own"
  chmod o+x "$(dirname "$own")"
  mount --bind "$own" "$own"
fi
mount -o remount,ro,bind /
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "$@"`

/** @param checkout whose package is made; this one when left out */
export async function installPackage(checkout = root): Promise<InstalledPackage & { remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-installed-'))
  // A user without rights starts it, too.
  await chmod(folder, 0o755)
  // The Node that runs this comes first, as the operator's own would.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const made = await run(process.execPath, ['scripts/package.ts', folder], { cwd: checkout, env })
  const file = /watchword-[\d.]+\.tgz/.exec(made.stdout)![0]
  await writeFile(join(folder, 'package.json'), '{}')
  await mkdir(join(folder, 'cache'))
  const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  await run('npm', ['install', ...flags, file], { cwd: folder, env })
  const command = join(folder, 'node_modules/.bin/watchword')
  const started = ['unshare', '--mount', 'sh', '-c', apart, 'sh']
  const tried = spawnSync(started[0]!, [...started.slice(1), command, '--version'], { cwd: folder, env })
  const isApart = tried.status === 0
  return {
    folder,
    command,
    service: isApart ? [...started, command] : [command],
    isApart,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
