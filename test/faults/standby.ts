/** What becomes of the files and processes of a server that is copied or struck. */
import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Shut down in order, ended with its children at once, the whole of it killed, or frozen. */
export type Strike = 'SIGINT' | 'SIGQUIT' | 'SIGKILL' | 'SIGSTOP'

/** What runs on takes no part: its log is read from the start of the copy on. */
export async function copyFiles(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  // A file that vanishes meanwhile is none that the copy needs.
  await run('cp', ['-a', from, to]).catch(() => {})
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, name), { force: true })
  for (const name of await readdir(join(to, 'pg_wal'), { withFileTypes: true })) {
    if (name.isFile()) await rm(join(to, 'pg_wal', name.name))
  }
}

/** The main process first; with those that were known before, which may have lost it. */
export async function processesOf(folder: string, known: number[]): Promise<number[]> {
  const file = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const main = Number(file.split('\n')[0])
  const command = await readFile(`/proc/${main}/cmdline`, 'utf8').catch(() => '')
  if (!command.includes(folder)) return known
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(main)]).catch(() => ({ stdout: '' }))
  return [main, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)].filter((pid) => signal(pid, 0))
}

export function signal(pid: number, which: Strike | 0): boolean {
  try {
    return process.kill(pid, which)
  } catch {
    return false
  }
}
