/** Log lines on their way out of the process, to a file and to pipes whose readers are slow or gone. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../src/kit/runtime.ts'
import { createLogOutput, type LogOutput } from '../../src/process/logOutput.ts'

const { O_RDONLY, O_RDWR, O_NONBLOCK, O_WRONLY } = constants
const path = () => join(folder, 'log')

let folder: string
let fds: number[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-log-'))
  fds = []
})
afterEach(() => {
  for (const fd of fds) closeSync(fd)
  rmSync(folder, { recursive: true })
})

function open(flags: string | number): number {
  const fd = openSync(path(), flags)
  fds.push(fd)
  return fd
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `{"line":${index},"of":"Zürich •••"}\n`)

describe('the lines of one moment', () => {
  let output: LogOutput
  const written = () => readFileSync(path(), 'utf8')
  beforeEach(() => {
    output = createLogOutput({ fd: open('w'), onLost: () => {} })
  })

  it('come out together and in order, but for the first, which comes at once', () => {
    const lines = numbered(50)
    for (const line of lines) output.write(line)
    expect(written()).toBe(lines[0])
    output.flush()
    expect(written()).toBe(lines.join(''))
  })

  it('come out by themselves a moment later', async () => {
    const lines = numbered(50)
    for (const line of lines) output.write(line)
    await expect.poll(written).toBe(lines.join(''))
  })

  it('do not wait for more than the next 4 kB', () => {
    const lines = numbered(5000)
    for (const line of lines) output.write(line)
    expect(lines.join('').startsWith(written())).toBe(true)
    expect(Buffer.byteLength(lines.join('')) - Buffer.byteLength(written())).toBeLessThan(4096)
  })

  it.each(['warn', 'error', 'fatal'] as const)('come out at once when one is of the level %s', (level) => {
    const log = createLog('info', output)
    log.info('one')
    log.info('two')
    expect(written()).not.toContain('two')
    log[level]('three')
    expect(written()).toMatch(/one.*\n.*two.*\n.*three.*\n$/)
  })
})

describe('a reader', () => {
  beforeEach(() => {
    execFileSync('mkfifo', [path()])
  })

  /** What can be read now. */
  function readAll(fd: number): string {
    const buffer = Buffer.alloc(1024 * 1024)
    let length = 0
    try {
      for (let read = -1; read !== 0; length += read) read = readSync(fd, buffer, length, buffer.length - length, null)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
    return buffer.toString('utf8', 0, length)
  }

  it('that is slow gets whole lines in order, and is told how many it has missed', () => {
    const pipe = open(O_RDWR | O_NONBLOCK)
    let lost = 0
    const output = createLogOutput({
      fd: pipe,
      onLost: (lines) => {
        lost += lines
      },
    })
    const lines = numbered(300_000)
    for (const line of lines) output.write(line)

    let text = ''
    for (let more = readAll(pipe); more !== ''; more = readAll(pipe)) {
      text += more
      output.flush()
    }
    const kept = text.split(/(?<=\n)/)
    expect(kept).toEqual(lines.slice(0, kept.length))
    expect(kept.length + lost).toBe(lines.length)
    expect(lost).toBeGreaterThan(0)
    output.write(lines[0]!)
    output.flush()
    expect(readAll(pipe)).toBe(lines[0])
  })

  it('that does not read holds up the end of a process for a moment only', () => {
    const output = createLogOutput({ fd: open(O_RDWR | O_NONBLOCK), onLost: () => {} })
    for (const line of numbered(10_000)) output.write(line)
    const startedAt = performance.now()
    output.end()
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })

  it('that has gone does no harm, and the next one gets what was kept', () => {
    const gone = openSync(path(), O_RDONLY | O_NONBLOCK)
    const output = createLogOutput({ fd: open(O_WRONLY | O_NONBLOCK), onLost: () => {} })
    closeSync(gone)
    const lines = numbered(100)
    for (const line of lines) output.write(line)
    output.end()
    const next = open(O_RDONLY | O_NONBLOCK)
    output.flush()
    expect(readAll(next)).toBe(lines.join(''))
  })
})
