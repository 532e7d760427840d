/** The files that pages load. A file's path has the beginning of its hash, so that a browser may keep it for good. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageReply } from './reply.ts'

interface Asset extends PageReply {
  path: string
  /** The same under the path that a page of another version has for it, while both serve: not to be kept as that one's. */
  ofOthers: PageReply & { path: string }
}

function toAsset(name: string, type: string): Asset {
  const text = readFileSync(join(import.meta.dirname, 'assets', name), 'utf8')
  const toReply = (caching: string) => ({
    status: 200,
    text,
    headers: { 'Content-Type': type, 'Cache-Control': caching },
  })
  return {
    path: `/assets/${hash('sha256', text).slice(0, 12)}/${name}`,
    ...toReply('public, max-age=31536000, immutable'),
    ofOthers: { path: `/assets/:version/${name}`, ...toReply('no-store') },
  }
}

export const stylesheet = toAsset('style.css', 'text/css; charset=utf-8')
export const script = toAsset('script.js', 'text/javascript; charset=utf-8')
export const icon = toAsset('icon.svg', 'image/svg+xml')

export const assets: readonly Asset[] = [stylesheet, script, icon]
