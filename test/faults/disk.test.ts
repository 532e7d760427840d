/**
 * A full disk under the database: PostgreSQL refuses, panics when it cannot write its log, and ends when it cannot recover.
 * It needs the right to mount a small file system in memory; without it, the test is skipped and says so.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type MortalDatabase, openMortalDatabase } from './database.ts'
import { createLoad, expectKept } from './load.ts'
import { type Service, startService } from './service.ts'

const run = promisify(execFile)
const diskMegabytes = 160
/** Milliseconds for the disk to be felt, and for the service to be back when there is space again. */
const feltMs = 60_000

const disk = await mountDisk()
if (!disk) process.stdout.write('  skipped: this process may not mount a file system to fill\n')

// A log in small files, none of which is used again: the want of a new one comes soon.
const flags = ['wal_recycle=off', 'min_wal_size=2MB', 'max_wal_size=8MB']
const logFlag = '--wal-segsize=1'

describe.skipIf(!disk)('a disk that is full', () => {
  let [database, service, folder]: [MortalDatabase?, Service?, string?] = []
  afterEach(async () => {
    await service?.stop()
    await database?.stop()
    await rm(folder!, { recursive: true, force: true })
    await rm(join(disk!, 'wal'), { recursive: true, force: true })
  })
  afterAll(async () => {
    await run('umount', ['--lazy', disk!])
    await rm(disk!, { recursive: true, force: true })
  })

  it.each([
    ['of its tables', join(disk ?? '', 'data'), [logFlag], 'No space left on device'],
    ['of its log', undefined, [logFlag, `--waldir=${join(disk ?? '', 'wal')}`], 'PANIC'],
  ])(
    '%s: loses nothing, and needs no restart when there is space again',
    async (...given) => {
      const [, dataFolder, initdbFlags, complaint] = given
      folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'watchword-faults-')))
      database = await openMortalDatabase(folder, { flags, initdbFlags })
      service = await startService(database.url)
      const { post } = service
      const load = createLoad(post)
      await expect.poll(load.acknowledged, { timeout: feltMs }).toBeGreaterThan(20)

      const ballast = join(disk!, 'ballast')
      await fill(ballast)
      const refused = load.refused()
      await expect.poll(() => database!.log().includes(complaint), { timeout: feltMs }).toBe(true)
      await expect.poll(load.refused, { timeout: feltMs }).toBeGreaterThan(refused + 20)
      await rm(ballast)
      const before = load.acknowledged()
      process.stdout.write(`  ${before} acknowledged, ${load.refused()} not; there is space again\n`)
      await restartIfGone(database)
      await expect.poll(load.acknowledged, { timeout: feltMs }).toBeGreaterThan(before + 20)
      await expectKept(database.url, await load.stop(), post)
    },
    300_000,
  )
})

/** @returns the folder, or undefined where this process may not */
async function mountDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=0777`, 'tmpfs', folder])
    return folder
  } catch {
    await rm(folder, { recursive: true, force: true })
    return undefined
  }
}

/** Takes all the space that there is. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (const block = Buffer.alloc(1024 * 1024); ; ) await file.write(block)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await file.close()
  }
  expect((await stat(path)).size).toBeGreaterThan(1024 * 1024)
}

/** It recovers by itself, or has ended because it could not: then whoever looks after it starts it. */
async function restartIfGone(database: MortalDatabase): Promise<void> {
  await wait(1000)
  if (!(await database.isAlive())) await database.start()
}
