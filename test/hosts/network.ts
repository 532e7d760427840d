/**
 * Hosts as the kernel has them: network namespaces on a switch. The switch is in the namespace of this process, which reaches every
 * host whatever is lost between them.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Host {
  name: string
  address: string
  /** Put before a command, it runs there. */
  enter: readonly string[]
}

export interface Network {
  hosts: readonly Host[]
  /** Of this process. */
  address: string
  /** Loses without a word what a host sends to others: neither of them is told, and no link is down. */
  lose: (from: Host, ...to: Host[]) => Promise<void>
  /** Loses what goes either way between a host and others. */
  part: (host: Host, ...others: Host[]) => Promise<void>
  /** Nothing is lost any more, and no link is down. */
  heal: () => Promise<void>
  /** Pulls a host's plug out of the switch. */
  unplug: (host: Host) => Promise<void>
  /** Has names lead to addresses, on every host: its own, and others beside. */
  name: (names: Record<string, readonly string[]>) => Promise<void>
  close: () => Promise<void>
}

/** No card has it. */
const nobody = '02:00:00:00:00:99'
const addressOf = (number: number) => `10.77.0.${number}`
/** Milliseconds for a namespace to be there. */
const stepMs = 20

/** @throws Error outside `npm run test:hosts`: the network would be the machine's own */
export async function openNetwork(names: readonly string[]): Promise<Network> {
  const own = readlinkSync('/proc/self/ns/net')
  const { OUTER_NETWORK: outer } = process.env
  if (!outer || outer === own) throw new Error('run these tests by npm run test:hosts: they change the network')
  const ip = (...words: string[]) => run('ip', words)
  await ip('link', 'set', 'lo', 'up')
  await ip('link', 'add', 'switch', 'type', 'bridge')
  await ip('address', 'add', `${addressOf(254)}/24`, 'dev', 'switch')
  await ip('link', 'set', 'switch', 'up')
  const opened: Awaited<ReturnType<typeof plugIn>>[] = []
  for (const [index, name] of names.entries()) opened.push(await plugIn(name, addressOf(index + 1), own))
  const hosts = opened.map(({ host }) => host)
  const lost: [Host, Host][] = []
  const folder = await mkdtemp(join(tmpdir(), 'watchword-hosts-'))
  const names_ = join(folder, 'hosts')
  const network: Network = {
    hosts,
    address: addressOf(254),
    lose: async (from, ...to) => {
      for (const host of to) {
        await inside(from, 'ip', 'neigh', 'replace', host.address, 'lladdr', nobody, 'dev', 'eth0', 'nud', 'permanent')
        lost.push([from, host])
      }
    },
    part: async (host, ...others) => {
      await Promise.all([network.lose(host, ...others), ...others.map((other) => network.lose(other, host))])
    },
    heal: async () => {
      for (const [from, to] of lost.splice(0)) await inside(from, 'ip', 'neigh', 'del', to.address, 'dev', 'eth0')
      for (const { name } of hosts) await ip('link', 'set', name, 'up')
    },
    unplug: async ({ name }) => void (await ip('link', 'set', name, 'down')),
    name: async (names) => {
      const all = {
        localhost: ['127.0.0.1'],
        ...Object.fromEntries(hosts.map(({ name, address }) => [name, [address]])),
        ...names,
      }
      const lines = Object.entries(all).flatMap(([name, addresses]) =>
        addresses.map((address) => `${address} ${name}\n`),
      )
      await writeFile(names_, lines.join(''))
    },
    close: async () => {
      for (const { holder } of opened) holder.kill()
      await run('umount', ['/etc/hosts'])
      await rm(folder, { recursive: true })
    },
  }
  await network.name({})
  // For these processes alone: their mounts are their own.
  await run('mount', ['--bind', names_, '/etc/hosts'])
  return network
}

function inside({ enter: [nsenter = '', ...words] }: Host, ...command: string[]) {
  return run(nsenter, [...words, ...command])
}

/** A namespace lasts as long as a process in it. */
async function plugIn(name: string, address: string, own: string): Promise<{ host: Host; holder: ChildProcess }> {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const network = `/proc/${holder.pid}/ns/net`
  while (readlinkSync(network) === own) await wait(stepMs)
  const host = { name, address, enter: ['nsenter', `--net=${network}`] }
  await run('ip', ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(holder.pid)])
  await run('ip', ['link', 'set', name, 'master', 'switch', 'up'])
  await inside(host, 'ip', 'link', 'set', 'lo', 'up')
  await inside(host, 'ip', 'address', 'add', `${address}/24`, 'dev', 'eth0')
  await inside(host, 'ip', 'link', 'set', 'eth0', 'up')
  return { host, holder }
}
