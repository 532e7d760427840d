/**
 * A disk that is as unkind as file systems are: a file has what it had when it was synced last, and a folder the names that it
 * had then, with those of the files that were synced since.
 */
import fs, { constants, copyFileSync, mkdirSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { vi } from 'vitest'

export interface Disk {
  /** What was synced, in the order of it: paths within the folder. */
  synced: string[]
  /** Takes all that is in the folder to be on the disk. */
  settle: () => void
  /** Makes a folder of what is on the disk at this moment. */
  leave: (target: string) => void
  close: () => void
}

/**
 * @param folder of which everything is watched that this process syncs; nothing of it is on the disk yet
 * @param store an empty folder for what is on the disk
 */
export async function watchDisk(folder: string, store: string): Promise<Disk> {
  const synced: string[] = []
  /** Of each folder that was synced: the inodes by their names. */
  const names = new Map<string, Map<string, bigint>>()
  const contentOf = (inode: bigint) => join(store, String(inode))

  const note = (path: string) => {
    if (path !== folder && !path.startsWith(`${folder}/`)) return
    const stat = statSync(path, { bigint: true })
    synced.push(relative(folder, path))
    if (!stat.isDirectory()) {
      copyFileSync(path, contentOf(stat.ino), constants.COPYFILE_FICLONE)
      return noteName(path)
    }
    const found = readdirSync(path).map((name) => [name, statSync(join(path, name), { bigint: true }).ino] as const)
    names.set(path, new Map(found))
  }
  const noteName = (path: string): void => {
    if (path === folder) return
    const parent = dirname(path)
    if (!names.has(parent)) names.set(parent, new Map())
    names.get(parent)?.set(basename(path), statSync(path, { bigint: true }).ino)
    noteName(parent)
  }
  const noteAll = (path: string) => {
    note(path)
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) noteAll(join(path, name))
  }
  const leave = (path: string, target: string) => {
    mkdirSync(target, { recursive: true })
    for (const [name, inode] of names.get(path) ?? []) {
      const [from, to] = [join(path, name), join(target, name)]
      if (names.has(from)) leave(from, to)
      else if (fs.existsSync(contentOf(inode))) copyFileSync(contentOf(inode), to, constants.COPYFILE_FICLONE)
      else writeFileSync(to, '')
    }
  }

  const pathOf = (fd: number) => readlinkSync(`/proc/self/fd/${fd}`)
  const spies = (['fsyncSync', 'fdatasyncSync'] as const).map((name) => {
    const sync = fs[name]
    return vi.spyOn(fs, name).mockImplementation((fd) => {
      sync(fd)
      note(pathOf(fd))
    })
  })
  syncBuiltinESMExports()
  const handles = await prototypeOfHandles(folder)
  const { sync } = handles
  const spyOnHandles = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    note(pathOf(this.fd))
  })
  return {
    synced,
    settle: () => noteAll(folder),
    leave: (target) => leave(folder, target),
    close: () => {
      for (const spy of [...spies, spyOnHandles]) spy.mockRestore()
      syncBuiltinESMExports()
    },
  }
}

async function prototypeOfHandles(folder: string): Promise<FileHandle> {
  const handle = await open(folder)
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle
}
