/** Leaves nothing behind of a tool that starts processes, however it ends: also when it is killed. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Milliseconds between two looks whether npm is still there. */
const lookMs = 500

/** Waits for the end of its stdin, then interrupts whoever has the folder $0 for temporary files; kills after 3 s. */
const watcher = `
started() { grep -lsxzF "TMPDIR=$0" /proc/[0-9]*/environ | tr -dc '0-9\\n'; }
end() { kill -s "$1" $(started); }
exec 2>/dev/null
cat >/dev/null
end INT
for _ in 1 2 3 4 5 6 7 8 9 10; do [ "$(started)" ] || break; sleep 0.3; done
end KILL
rm -rf "$0"`

/**
 * From now on, everything that this process starts has a folder for its temporary files that is not used by others. When
 * this process has gone, those that have the folder are ended, and the folder is removed.
 */
export function leash(): void {
  const env = { ...process.env }
  const folder = mkdtempSync(join(tmpdir(), 'watchword-'))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  // In a session of its own: what ends this process is not to end it, too.
  const child = spawn('sh', ['-c', watcher, folder], { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  ;(child.stdin as Socket).unref()
  hangUpWithNpm()
}

/** Sends SIGHUP to this process when npm, which started it, has gone: one that is killed tells nobody. */
export function hangUpWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const { ppid } = process
  const look = () => process.ppid !== ppid && process.kill(process.pid, 'SIGHUP')
  setInterval(look, lookMs).unref()
}
