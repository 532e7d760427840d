/** What is still there after a power cut: a system keeps what was written in its memory until it is asked for more. */
import { fdatasyncSync, fsyncSync, statSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PGliteOptions } from '@electric-sql/pglite'

/** Files that are brought to the disk at once: disks do several in hardly more time than one. */
const syncsMax = 16

/**
 * Makes a folder that only its owner can enter, and those that it is in. Resolves when their names are on the disk.
 *
 * @throws NodeJS.ErrnoException ENOENT too, where the system lets nobody make one, as in `/proc`: there Node's own `recursive`
 * tries for ever
 */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder)
  if (isFolder(path)) return
  const parent = dirname(path)
  await makeFolder(parent)
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) throw error
  })
  await syncFolder(parent)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Resolves when the names in a folder are on the disk as they are now: those that were made, and not those that were removed. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders.
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().finally(() => handle.close())
}

/** Resolves when a folder and all that is in it are on the disk. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
  await inParallel(files, syncFile)
  await inParallel([...folders, folder], syncFolder)
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}

async function inParallel(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const left = paths.values()
  await Promise.all(
    Array.from({ length: syncsMax }, async () => {
      for (const path of left) await work(path)
    }),
  )
}

/** Of Emscripten's module, the file system that PGlite keeps a folder with. */
interface Module {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd: number; path: string }) => void }
    /** Has an error of Node's become one that the database understands. */
    tryFSOperation: <T>(work: () => T) => T
  }
}

/** It has its size from the start: to sync no more than its data is what PostgreSQL does on Linux, and takes half of the time. */
const logFile = /\/pg_wal\/[0-9A-F]{24}$/

interface ModuleOptions {
  preRun: ((module: Module) => void)[]
}

/**
 * For PGlite on a folder. Its file system has no `fsync`: to the database that is a success, with nothing done. Its `fdatasync`
 * does nothing in any case, so that the log has to be written with `fsync` (`wal_sync_method`).
 *
 * @param isAsked whether it has to be on the disk by now
 * @param onAbort called when the database cannot go on
 */
export function onDisk(isAsked: () => boolean, onAbort: () => void): NonNullable<PGliteOptions['extensions']> {
  const giveSync = ({ NODEFS }: Module) => {
    NODEFS.stream_ops.fsync = ({ nfd, path }) => {
      if (isAsked()) NODEFS.tryFSOperation(() => (logFile.test(path) ? fdatasyncSync(nfd) : fsyncSync(nfd)))
    }
  }
  const setup = async (_client: unknown, options: ModuleOptions) => ({
    emscriptenOpts: { ...options, onAbort, preRun: [...options.preRun, giveSync] },
  })
  return { onDisk: { name: 'onDisk', setup } }
}
