/** What a request asks for. */

/** Of a request target in either form that a server must know: `/path?query` or `http://host/path?query`. */
export function readPath(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const query = path.indexOf('?')
  return (query === -1 ? path : path.slice(0, query)) || '/'
}

/** What stands behind the question mark; empty when there is none. */
export function readTargetQuery(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? '' : target.slice(query + 1)
}

/** Whether its path begins like that. Asked of every request that comes in: for most, it is one comparison. */
export function isUnder(root: string, target: string): boolean {
  if (target.startsWith('/')) return target.startsWith(root)
  return isReadable(target) && readPath(target).startsWith(root)
}

/** Whether a target in the longer form is a URL. */
export function isReadable(target: string): boolean {
  return target.startsWith('/') || !/^https?:/i.test(target) || URL.canParse(target)
}
