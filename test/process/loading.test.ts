/** What is kept of a start for the next one: code that others could write would be run as ours. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-loading-'))
  await mkdir(join(folder, 'src'))
  for (const name of ['loading.js', 'nodeVersion.js'])
    await cp(join(import.meta.dirname, '../../src', name), join(folder, 'src', name))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const inPackages = (...path: string[]) => join(folder, 'node_modules', ...path)

/** Starts a process there. @returns where it keeps compiled code, if it does */
async function start(): Promise<string> {
  const script = `process.stdout.write(require('node:module').getCompileCacheDir() ?? 'nowhere')`
  const args = ['--import', join(folder, 'src/loading.js'), '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} })
  return stdout
}

describe('compiled code', () => {
  it('is kept beside the packages, in a folder that only its owner can enter', async () => {
    await mkdir(inPackages())
    expect(await start()).toContain(inPackages('.cache', 'watchword'))
    expect((await stat(inPackages('.cache', 'watchword'))).mode & 0o777).toBe(0o700)
  })

  it.each(['.cache', '.cache/watchword'])('is not kept where others can write: %s', async (open) => {
    await mkdir(inPackages('.cache', 'watchword'), { recursive: true })
    await chmod(inPackages(open), 0o777)
    expect(await start()).toBe('nowhere')
    expect(await readdir(inPackages('.cache', 'watchword'))).toEqual([])
  })

  it('is not kept where a link leads', async () => {
    await mkdir(join(folder, 'elsewhere'), { mode: 0o700 })
    await mkdir(inPackages('.cache'), { recursive: true })
    await symlink(join(folder, 'elsewhere'), inPackages('.cache', 'watchword'))
    expect(await start()).toBe('nowhere')
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([])
  })

  it('is not kept where there is no place for it, and the process starts all the same', async () => {
    expect(await start()).toBe('nowhere')
  })
})
