/**
 * The forward proxy through which a network lets requests out. Every address behind it is asked through a tunnel (CONNECT), also by
 * `http:`: until that is there, nothing of a request was sent, and what is answered in it is the answer of who was asked.
 *
 * undici's ProxyAgent asks `http:` addresses without one, so that a refusal of the proxy's would be taken for the provider's, and
 * tells a status in the text of an error alone. Here is only what asks for the tunnel; all else is undici's Agent as without it.
 */
import { request as askPlainly, type ClientRequest } from 'node:http'
import { request as askByTls } from 'node:https'
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { isAskFailure } from './failure.ts'

/** Which proxy is asked; what has none is asked directly. */
export interface ProxySettings {
  /** URLs, with the credentials in them: for addresses that begin with `http:`, and with `https:`. */
  http?: string | undefined
  https?: string | undefined
  /** Names, addresses, networks or `*`, each maybe with a port, that are asked directly. */
  except: readonly string[]
}

export type ConnectorBuild = (
  build: typeof buildConnector,
  options: buildConnector.BuildOptions,
) => buildConnector.connector

/** Who is to be asked. */
type Place = Pick<buildConnector.Options, 'protocol' | 'hostname' | 'port'>

/** No tunnel through the proxy: nothing was sent to who was to be asked. Nothing of the proxy's address stands in it. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  readonly code = 'PROXY_FAILED'
}

export const proxyLate = 'no answer of the proxy in time'
/** Bytes of the head of a proxy's answer. */
const headBytesMax = 16_384

/** @returns makes connections through the proxy where one is set, and as usual elsewhere */
export function throughProxy(settings: ProxySettings): ConnectorBuild {
  return (build, options) => {
    const connect = build(options)
    return (to, callback) => {
      const proxy = readProxy(settings, to)
      if (!proxy) return connect(to, callback)
      openTunnel(new URL(proxy), to, options.timeout ?? 0)
        .then((socket) =>
          to.protocol === 'https:' ? connect({ ...to, httpSocket: socket }, callback) : callback(null, socket),
        )
        .catch((error: Error) => callback(error, null))
    }
  }
}

/** @returns the URL of the proxy; undefined for what is asked directly */
export function readProxy(
  { http, https, except }: ProxySettings,
  { protocol, hostname, port }: Place,
): string | undefined {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  const portOf = port || (protocol === 'https:' ? '443' : '80')
  // The proxy would take it for itself.
  if (/(^|\.)localhost$/.test(host) || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback'))
    return undefined
  if (except.some((entry) => covers(entry.toLowerCase(), host, portOf))) return undefined
  return protocol === 'https:' ? https : http
}

/** As most programs read `NO_PROXY`: a name stands for those below it too. */
function covers(entry: string, host: string, port: string): boolean {
  const { name, port: only = port } = readException(entry)
  if (name === '*') return true
  if (only !== port) return false
  if (isIP(host) !== 0 && name.includes('/')) {
    const [network, address] = [ipaddr.parseCIDR(name), ipaddr.process(host)]
    return network[0].kind() === address.kind() && address.match(network)
  }
  const bare = name.replace(/^\*?\./, '')
  return host === bare || host.endsWith(`.${bare}`)
}

/** @param entry of `NO_PROXY` @returns the name, address or network that it has, and its port if it is for that alone */
export function readException(entry: string): { name: string; port: string | undefined } {
  const [, name = entry, port] = /^(\[.+\](?:\/\d+)?|[^:]+):(\d+)$/.exec(entry) ?? []
  return { name: name.replaceAll(/[[\]]/g, ''), port }
}

/** @throws ProxyFailed, and what is an error of this service */
function openTunnel(proxy: URL, { protocol, hostname, port }: Place, withinMs: number): Promise<Socket> {
  const isSecure = proxy.protocol === 'https:'
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
  const place = `${host}:${port || (protocol === 'https:' ? 443 : 80)}`
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '')
  const request: ClientRequest = (isSecure ? askByTls : askPlainly)({
    host: proxyHost,
    // Node would go by the header `Host`, which names who is asked in the tunnel.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: proxy.port || (isSecure ? 443 : 80),
    ...{ method: 'CONNECT', path: place, agent: false, maxHeaderSize: headBytesMax },
    headers: { Host: place, ...toAuthorization(proxy) },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const timer = setTimeout(() => request.destroy(new ProxyFailed(proxyLate)), withinMs)
  request
    .once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      clearTimeout(timer)
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
        return
      }
      socket.on('error', () => {}).destroy()
      reject(proxyRefusal(statusCode))
    })
    .on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const isOwn = error instanceof ProxyFailed || !isAskFailure(error)
      reject(isOwn ? error : new ProxyFailed(toReason(error.code ?? '')))
    })
    .end()
  return promise
}

/** What a proxy means that makes no tunnel. */
export function proxyRefusal(status: number): ProxyFailed {
  return new ProxyFailed(refusals[status] ?? `the proxy makes no connection there (${status})`)
}

const refusals: Readonly<Record<number, string>> = {
  403: 'the proxy refuses this address (403)',
  407: 'the proxy refuses the credentials of OUTBOUND_PROXY, or wants some (407)',
}

function toReason(code: string): string {
  if (/^HPE_/.test(code)) return 'no answer of the proxy that can be read'
  if (/CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code)) return 'no secure connection to the proxy'
  return 'the proxy cannot be reached'
}

function toAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}
