/**
 * Keeps compiled code for later starts, which load it in less time. It is JavaScript, because
 * `--import` runs it before there is a need for what strips types, which takes 17 MB.
 */
import './nodeVersion.js'
import { lstatSync, mkdirSync } from 'node:fs'
// By its default: an older Node, which the line above ends, has no such name there.
import nodeModule from 'node:module'
import { join } from 'node:path'

const nodeModules = join(import.meta.dirname, '../node_modules')

keepCompiled()

/**
 * Keeps compiled code, and TypeScript without its types, for later starts. Who can write there can have us run their code: so
 * it is kept beside the code itself, in a folder that is ours alone, or not at all.
 */
function keepCompiled() {
  const folder = join(nodeModules, '.cache', 'watchword')
  if (isClosed(join(nodeModules, '.cache')) && isClosed(folder)) nodeModule.enableCompileCache(folder)
}

/** Makes the folder where it is not there. @returns whether nobody but this user, or root, can write to it */
function isClosed(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (error.code !== 'EEXIST') return false
  }
  const { uid, mode } = lstatSync(folder)
  return (mode & 0o170022) === 0o040000 && (uid === process.getuid?.() || uid === 0)
}
