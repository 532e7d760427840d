/**
 * Runs the tests of several hosts, each of which is a network namespace. The tests have network, processes and mounts of their own,
 * inside which hosts are made: what others see is not touched, and all of it ends with this command.
 */
import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { createCommand } from './command.ts'
import { root } from './contract/redocly.ts'

const { args } = createCommand('test:hosts', 'Runs the service on three hosts, between which the network fails.')
  .argument('[options...]', 'of vitest, behind --')
  .parse()

// The first program gets the children of those that are killed, and a shell asks what became of them. That of Node does not.
const apart = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', '"$@"; exit $?', 'sh']
const tried = spawnSync('unshare', [...apart, 'ip', 'link', 'add', 'switch', 'type', 'bridge'])
if (tried.status !== 0) {
  process.stdout.write(
    'skipped: no network of its own can be made here. It needs Linux, root, and `unshare`, `nsenter` and `ip`.\n',
  )
  process.exit(0)
}

const { status } = spawnSync(
  'setpriv',
  ['--pdeathsig', 'KILL', 'unshare', ...apart, 'vitest', 'run', '--config', 'test/config/hosts.ts', ...args],
  // The tests make sure that they are in another network than this.
  { cwd: root, stdio: 'inherit', env: { ...process.env, OUTER_NETWORK: readlinkSync('/proc/self/ns/net') } },
)
process.exit(status ?? 1)
