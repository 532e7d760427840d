/** What the embedded database has after a power cut, in which everything is lost that was not synced. */
import fs, { existsSync } from 'node:fs'
import promises, { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSecrets } from '../../../src/app/dataFolder.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { type Disk, watchDisk } from '../../support/disk.ts'
import { newPhone, startServer } from '../../support/server.ts'

let folder: string
let disk: Disk
const within = (name: string) => join(folder, name)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-disk-'))
  for (const name of ['data', 'store']) await mkdir(within(name))
  disk = await watchDisk(within('data'), within('store'))
})
afterEach(async () => {
  disk.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a power cut', () => {
  it('takes nothing that was acknowledged', async () => {
    const server = await startServer({ inFolder: within('data') })
    const idsAfter = async (place: string) => {
      disk.leave(within(place))
      const later = await startServer({ inFolder: within(place) })
      const found = await later.query<{ id: string }>(sql`select id from message`)
      await later.close()
      return new Set(found.map(({ id }) => id))
    }
    disk.synced.length = 0
    const ids = [await server.live.send(newPhone())]
    expect(disk.synced).toContainEqual(expect.stringMatching(/^database\/pg_wal\/[0-9A-F]{24}$/))
    expect(await idsAfter('first')).toEqual(new Set(ids))

    // The log that has them is let go of.
    for (let times = 0; times < 3; times++) await server.query(sql`select pg_switch_wal()`)
    await server.query(sql`checkpoint`)
    ids.push(await server.live.send(newPhone()))
    expect(await idsAfter('second')).toEqual(new Set(ids))
    await server.close()
  })

  it('during the first start leaves a folder that is filled anew, and after it one that is whole', async () => {
    const { rm: remove } = promises
    const spy = vi.spyOn(promises, 'rm').mockImplementation(async (path, options) => {
      disk.leave(within('before'))
      await remove(path, options)
    })
    syncBuiltinESMExports()
    const database = await connect({ kind: 'embedded', dataDir: within('data') })
    spy.mockRestore()
    syncBuiltinESMExports()
    disk.leave(within('after'))
    await database.close()

    expect(existsSync(within('before/database.unfinished'))).toBe(true)
    expect(existsSync(within('after/database.unfinished'))).toBe(false)
    for (const dataDir of [within('before'), within('after')]) {
      const later = await connect({ kind: 'embedded', dataDir })
      await later.migrate()
      await later.close()
      expect(existsSync(join(dataDir, 'database.unfinished'))).toBe(false)
    }
  })

  it('leaves the secret that something was sealed with', async () => {
    const dataDir = within('data')
    const config = { secrets: undefined, database: { kind: 'embedded', dataDir }, dataDir } as const
    const made = await openSecrets(config)
    await made.keep()
    const sealed = made.secrets.seal('a code', 'a place')
    disk.leave(within('after'))
    const later = await openSecrets({ ...config, dataDir: within('after') })
    expect(later.secrets.open(sealed, 'a place')).toBe('a code')
  })
})

it('a database in memory waits for no disk', async () => {
  const spies = (['fsyncSync', 'fdatasyncSync'] as const).map((name) => vi.spyOn(fs, name))
  syncBuiltinESMExports()
  const database = await connect({ kind: 'memory' })
  await database.migrate()
  await database.close()
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  }
  syncBuiltinESMExports()
})

it('a database in memory takes as little of it as one in a folder', async () => {
  const database = await connect({ kind: 'memory' })
  const { rows } = await database.queueDb.executeSql('show shared_buffers')
  expect(rows).toEqual([{ shared_buffers: '16MB' }])
  await database.close()
})
