/** The forward proxy. `config.ts` reads its settings, and with `OUTBOUND_PROXY=env` those that other programs go by. */
import { z } from 'zod'
import { isProxyException } from '../outbound/address.ts'
import type { ProxySettings } from '../outbound/proxy.ts'
import { secret } from './secretFile.ts'

const wanted = 'must be an http:// or https:// URL without a path'

export const proxyForms = {
  OUTBOUND_PROXY: z
    .string()
    .trim()
    .refine((text) => text === 'env' || isProxy(text), { error: `${wanted}, or env` })
    .optional()
    .meta(secret),
}

type Given = Readonly<Record<string, string | undefined>>

/** The spelling in lower case has the first word, as with curl. */
const ofEnvironment = (given: Given, name: string) => given[name.toLowerCase()] || given[name]

/** @returns a fault for each variable that cannot be gone by */
export function faultsOfProxy(given: Given): string[] {
  if (given.OUTBOUND_PROXY?.trim() !== 'env') return []
  const ofProxy = (name: string) => {
    const text = ofEnvironment(given, name)
    return text && !isProxy(withScheme(text)) ? [`${name}: ${wanted}`] : []
  }
  const wrong = exceptionsOf(given).find((entry) => !isProxyException(entry))
  const ofExceptions = wrong === undefined ? [] : [`NO_PROXY: ${wrong} is no network like 10.0.0.0/8`]
  return [...ofProxy('HTTP_PROXY'), ...ofProxy('HTTPS_PROXY'), ...ofExceptions]
}

function exceptionsOf(given: Given): string[] {
  return (ofEnvironment(given, 'NO_PROXY') ?? '').split(/[,\s]+/).filter(Boolean)
}

/** What is set and has no effect, a sentence each. */
export function notesOfProxy(given: Given): string[] {
  if (given.OUTBOUND_PROXY?.trim() !== 'env' || proxyFrom(given)) return []
  return ['OUTBOUND_PROXY is env, and neither HTTPS_PROXY nor HTTP_PROXY is set: no proxy is used']
}

/** @param given without faults */
export function proxyFrom(given: Given): ProxySettings | undefined {
  const proxy = given.OUTBOUND_PROXY?.trim()
  if (!proxy) return undefined
  if (proxy !== 'env') return { http: proxy, https: proxy, except: [] }
  const [http, https] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => {
    const text = ofEnvironment(given, name)
    return text && withScheme(text)
  })
  return http || https ? { http, https, except: exceptionsOf(given) } : undefined
}

/** As other programs take it: `proxy.internal:3128` is asked by `http:`. */
function withScheme(text: string): string {
  return text.includes('://') ? text : `http://${text}`
}

/** Credentials in it are percent-encoded. */
function isProxy(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === ''
}
