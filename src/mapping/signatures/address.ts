/** The address that a report came to, as the provider knows it. */

/** @returns the path, and what stands behind the question mark; empty when there is none */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?')
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/**
 * The scheme, host and port of PUBLIC_URL count: those of the request are a proxy's, or a stranger's.
 *
 * @returns the address as it is, without its port, and with it; none when it is not known where the world reaches the API
 */
export function listAddresses(publicUrl: string | undefined, target: string): string[] {
  const [, scheme, host, port = '', path = ''] =
    /^(https?):\/\/(\[[^\]]*\]|[^/:?#]+)(:\d+)?(.*)$/.exec(publicUrl ?? '') ?? []
  if (scheme === undefined || !target.startsWith('/')) return []
  const standard = scheme === 'https' ? ':443' : ':80'
  const addresses = [port, '', port || standard].map((one) => `${scheme}://${host}${one}${path}${target}`)
  return [...new Set(addresses)]
}
