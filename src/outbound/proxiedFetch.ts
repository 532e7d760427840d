/** `fetch` for what a library asks by it: through the proxy, where there is one. */
import { type ProxySettings, throughProxy } from './proxy.ts'

/** Milliseconds for a connection. */
const connectMs = 5000

type Fetch = (url: string, options: object) => Promise<Response>

export function createFetch(proxy: ProxySettings | undefined): Fetch {
  if (!proxy) return fetch
  let proxied: Promise<Fetch> | undefined
  return async (url, options) => {
    proxied ??= openFetch(proxy)
    return (await proxied)(url, options)
  }
}

/** Loaded when it is first asked. Node's own `fetch` takes no agent of the package. */
async function openFetch(proxy: ProxySettings): Promise<Fetch> {
  const { Agent, buildConnector, fetch } = await import('undici')
  const connect = throughProxy(proxy)(buildConnector, { timeout: connectMs, allowH2: false })
  const dispatcher = new Agent({ connect })
  return (url, options) => fetch(url, { ...options, dispatcher }) as Promise<object> as Promise<Response>
}
