/** A service on the embedded database whose disk fails. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../support/client.ts'
import { launchProcess, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-broken-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a service ends rather than acknowledge what the disk did not take, and goes on after a restart', async () => {
  const dataDir = join(folder, 'data')
  const [preload, broken] = [join(folder, 'preload.mjs'), join(folder, 'broken')]
  const text = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    for (const name of ['fsyncSync', 'fdatasyncSync']) {
      const sync = fs[name]
      fs[name] = (fd) => {
        if (fs.existsSync(${JSON.stringify(broken)})) throw Object.assign(new Error('EIO'), { code: 'EIO' })
        sync(fd)
      }
    }
    syncBuiltinESMExports()`
  await writeFile(preload, text)
  const settings = { DATA_DIR: dataDir, WORKER: 'off', NODE_OPTIONS: `--import ${preload}` }
  const start = async () => {
    const started = await whenReady(launchProcess('serve', settings))
    return { started, client: createClient(started.url, (await readFile(join(dataDir, 'live-key'), 'utf8')).trim()) }
  }
  const first = await start()
  const id = await first.client.send(newPhone())
  await writeFile(broken, '')
  await expect(first.client.send(newPhone())).rejects.toThrow()
  expect(await first.started.ended).toEqual({ code: 1, signal: null })
  expect(first.started.errors()).toMatch(
    /^The embedded database in .* cannot go on: could not fsync file .*start again\.\n$/,
  )

  await rm(broken)
  const second = await start()
  expect(await second.client.get(`/v1/messages/${id}`)).toMatchObject({ status: 200 })
  await second.started.end('SIGTERM')
})
