/**
 * Kannel on this machine: bearerbox, smsbox and its fake SMSC, on free ports of 127.0.0.1. It needs Debian's packages `kannel`
 * and `kannel-extras`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './port.ts'

const programs = {
  bearerbox: '/usr/sbin/bearerbox',
  smsbox: '/usr/sbin/smsbox',
  fakesmsc: '/usr/lib/kannel/test/fakesmsc',
}

/** The first program that is not there. */
export const missing = Object.values(programs).find((path) => !existsSync(path))

export interface Kannel {
  /** Where smsbox takes messages. */
  url: string
  username: string
  password: string
  /** The fake SMSC connects. Before that, messages wait in bearerbox. */
  connect: () => void
  disconnect: () => Promise<void>
  /** What came to the fake SMSC: sender, receiver, kind and text, as it prints them. */
  messages: () => string[]
  /** What all programs have printed. */
  output: () => string
  close: () => Promise<void>
}

export async function startKannel(): Promise<Kannel> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-kannel-'))
  const [admin, boxes, smsc, sendsms] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const [username, password] = ['watchword', 'kannel-secret']
  const file = join(folder, 'kannel.conf')
  await writeFile(file, configuration({ admin, boxes, smsc, sendsms, username, password }))
  const [started, printed]: [ChildProcess[], string[]] = [[], []]
  const start = (program: keyof typeof programs, words: string[]) => {
    // The fake SMSC ends when its standard input does.
    const child = spawn(programs[program], words, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => void printed.push(text))
    }
    started.push(child)
    return child
  }
  const output = () => printed.join('')
  let smscProgram: ChildProcess | undefined

  start('bearerbox', ['-v', '0', file])
  for (const port of [boxes, smsc]) await whenListening(port)
  start('smsbox', ['-v', '0', file])
  await whenListening(sendsms)
  return {
    ...{ url: `http://127.0.0.1:${sendsms}`, username, password, output },
    connect: () => {
      smscProgram = start('fakesmsc', ['-H', '127.0.0.1', '-r', String(smsc), '-m', '0'])
    },
    disconnect: async () => {
      if (smscProgram) await end(smscProgram)
    },
    messages: () => [...output().matchAll(/Got message \d+: <(.*)>/g)].map(([, text = '']) => text),
    close: async () => {
      // The last one first: smsbox would try to reach a bearerbox that is gone.
      for (const child of started.reverse()) await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function whenListening(port: number): Promise<void> {
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
    })
  for (const until = Date.now() + 30_000; !(await isOpen()); await wait(50)) {
    if (Date.now() > until) throw new Error(`nobody listens on ${port}`)
  }
}

interface Settings {
  admin: number
  boxes: number
  smsc: number
  sendsms: number
  username: string
  password: string
}

/** As Kannel's user guide has it. Reports that were not answered with success are sent again after a second. */
function configuration({ admin, boxes, smsc, sendsms, username, password }: Settings): string {
  return `
group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = ${password}
smsbox-port = ${boxes}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1

group = smsc
smsc = fake
smsc-id = fake
port = ${smsc}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${boxes}
sendsms-port = ${sendsms}
sendsms-interface = 127.0.0.1
http-request-retry = 30
http-queue-delay = 1

group = sendsms-user
username = ${username}
password = ${password}
max-messages = 3
concatenation = true

group = sms-service
keyword = default
max-messages = 0
catch-all = true
text = none
`
}
