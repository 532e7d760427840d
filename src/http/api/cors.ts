/** Lets pages that are served on this machine call the API. For a sandbox alone: elsewhere, a key has no place in a page. */
import cors from 'cors'
import type { Middleware } from './api.ts'

const localOrigin = /^https?:\/\/(([a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export function createLocalCors(): Middleware {
  return cors({ origin: localOrigin, exposedHeaders: '*', maxAge: 600 })
}
