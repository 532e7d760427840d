/** A `DATABASE_URL` may name several servers, as libpq's may: `postgres://user:password@first:5432,second:5432/name`. */

const form = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>.*)$/s
/** Whatever is asked of the database here may write. */
const writing = ['read-write', 'primary']

/** @returns one URL for each server, in their order; none when the text cannot be used, which holds a password */
export function serverUrls(text: string): string[] {
  const { scheme, user, hosts, rest } = form.exec(text)?.groups ?? {}
  if (hosts === undefined) return []
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
  const areNamed = urls.length === 1 || hosts.split(',').every((host) => /[^:]/.test(host))
  return areNamed && urls.every((url) => isUsable(url, urls.length > 1)) ? urls : []
}

/**
 * The driver checks a server's certificate in each mode with TLS but `no-verify`, unless it is told to go by libpq, and warns of that
 * in seven lines for all but one name.
 */
export function withStrictMode(url: string): string {
  return url.includes('uselibpqcompat=')
    ? url
    : url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}

/** Where a URL leads, one of several. */
export function findPlace(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: decodeURIComponent(hostname.replace(/^\[(.+)\]$/, '$1')), port: Number(port || 5432) }
}

function isUsable(url: string, isOneOfSeveral: boolean): boolean {
  if (!URL.canParse(url)) return false
  const { searchParams } = new URL(url)
  const wanted = searchParams.get('target_session_attrs')
  const named = [...searchParams.getAll('host'), ...searchParams.getAll('port')]
  if (named.some((value) => isOneOfSeveral || value.includes(','))) return false
  return wanted === null || writing.includes(wanted)
}
