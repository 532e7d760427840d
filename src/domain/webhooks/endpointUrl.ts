/** Where an endpoint is, as people may see it. */
import { type Actor, may } from '../access/actor.ts'

/** Characters of a path that say which endpoint it is, and are no secret. */
const shownChars = 4

/** For a viewer without what may be secret: some services keep that in the path, others behind it. */
export function shownUrl(url: string, actor: Actor): string {
  if (may(actor, 'developer')) return url
  const { origin, pathname } = new URL(url)
  return pathname === '/' ? `${origin}/` : `${origin}${pathname.slice(0, shownChars)}...`
}
