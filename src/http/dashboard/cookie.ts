/** Cookies that only the server reads, and that never leave this site. */

export interface Cookies {
  /** @param maxAgeSeconds until the browser is closed when left out */
  set: (base: string, value: string, maxAgeSeconds?: number) => string
  clear: (base: string) => string
  read: (cookies: ReadonlyMap<string, string>, base: string) => string | undefined
}

/** @param path of the dashboard, without a slash at the end: no request for another path of its host has the cookies */
export function createCookies({ isSecure, path = '' }: { isSecure: boolean; path?: string }): Cookies {
  // Browsers take `__Host-` for the path of a whole host alone.
  const prefix = isSecure ? (path === '' ? '__Host-' : '__Secure-') : ''
  const nameOf = (base: string) => prefix + base
  const write = (base: string, value: string, age: string) =>
    `${nameOf(base)}=${value}; Path=${path || '/'}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${age}`
  return {
    set: (base, value, maxAgeSeconds) =>
      write(base, value, maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`),
    clear: (base) => write(base, '', '; Max-Age=0'),
    read: (cookies, base) => cookies.get(nameOf(base)),
  }
}

/** The header `Cookie`. Of a name that is there twice, neither is taken: one of them is not ours. */
export function parseCookies(header = ''): Map<string, string> {
  const pairs = header.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    return at === -1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]]
  })
  const names = pairs.map(([name]) => name)
  return new Map(pairs.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name)))
}
