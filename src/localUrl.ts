/** Where a server is found from its own machine. */

/** What to write into a browser on this machine for an address that a server listens on. */
export function urlOf(host: string, port: number): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
