/** What an operator names as a file: whatever is behind the path, a command ends, and holds no more than it takes. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileWords } from '../../src/kit/reading/fileWords.ts'
import { readInput } from '../../src/kit/reading/inputFile.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchword-input-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const bytesMax = 100_000
const read = async (name: string) => (await readInput(join(folder, name), bytesMax)).toString()
const refusal = (path: string) => readInput(path, bytesMax).then(() => 'was read', fileWords)

it('reads a file whole, and an empty one', async () => {
  writeFileSync(join(folder, 'full'), 'x'.repeat(bytesMax))
  writeFileSync(join(folder, 'empty'), '')
  expect(await read('full')).toHaveLength(bytesMax)
  expect(await read('empty')).toBe('')
})

it('reads a pipe to its end, also while its writer is slow', async () => {
  const pipe = join(folder, 'written')
  execFileSync('mkfifo', [pipe])
  const done = execFile('sh', ['-c', `{ echo one; sleep 0.2; head -c 90000 /dev/zero; } > ${pipe}`])
  expect(await read('written')).toHaveLength(4 + 90_000)
  expect(done.exitCode ?? 0).toBe(0)
})

it('refuses a pipe without a writer, instead of waiting for one', async () => {
  execFileSync('mkfifo', [join(folder, 'silent')])
  expect(await refusal(join(folder, 'silent'))).toBe('it is a pipe, and no program writes into it')
}, 20_000)

it('refuses what is longer than it takes, and what has no end', async () => {
  writeFileSync(join(folder, 'large'), '')
  truncateSync(join(folder, 'large'), 2 ** 40)
  expect(await refusal(join(folder, 'large'))).toBe('it is too long')
  expect(await refusal('/dev/zero')).toBe('it is too long')
  const pipe = join(folder, 'endless')
  execFileSync('mkfifo', [pipe])
  const endless = spawn('sh', ['-c', `exec cat /dev/zero > ${pipe}`])
  expect(await refusal(pipe)).toBe('it is too long')
  await new Promise((resolve) => endless.once('exit', resolve))
})

it('says what is there in the place of a file', async () => {
  mkdirSync(join(folder, 'sub'))
  symlinkSync('loop', join(folder, 'loop'))
  expect(await refusal(join(folder, 'sub'))).toBe('it is a folder')
  expect(await refusal(join(folder, 'loop'))).toBe('its links lead in a circle')
  expect(await refusal(join(folder, 'none'))).toBe('there is no such file or folder')
  expect(await refusal(join(folder, 'full', 'x'))).toBe('a part of its path is no folder')
})
