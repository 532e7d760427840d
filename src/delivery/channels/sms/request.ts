/** The request that hands a message over, or asks about the account, as the file says. */
import { writeXml } from '../../../mapping/xml.ts'
import type { OutboundRequest } from '../../../outbound/client.ts'
import { compileSign } from './asking/sign.ts'
import { textOfFilled, UnfitValue } from './filters.ts'
import type { ProviderFile } from './schema.ts'
import { createFill, type Fill, fillTree, type MessageValues, type SettingValues } from './template.ts'

export interface RequestParts {
  /** Those that the file declares. */
  declared: ReadonlySet<string>
  settings: SettingValues
  /** In place of the scheme, host and port of the file. */
  baseUrl: string | undefined
}

/** @returns makes the request of a message; undefined where a value does not fit its place: it would break a header, say */
export function compileRequest(
  asking: ProviderFile['request'],
  parts: RequestParts,
): (values: MessageValues) => OutboundRequest | undefined {
  const urlOf = compileUrl(asking.url, parts)
  const headers = buildHeaders(asking, parts)
  const contentOf = compileBody(asking, parts)
  const { method, as, sign } = asking
  const signatureOf = sign && compileSign(sign, parts)
  // What is signed is the body then, so it cannot have the signature.
  const isOverBody = sign !== undefined && signsBody(sign)
  const make = (given: MessageValues): OutboundRequest | undefined => {
    let values = signatureOf && !isOverBody ? { ...given, signature: signatureOf(given) } : given
    const body = contentOf?.(values)
    if (signatureOf && isOverBody) values = { ...values, signature: signatureOf({ ...values, body: body ?? '' }) }
    const filled = filledHeaders(headers, values)
    if (!filled) return undefined
    const url = urlOf(values)
    if (body === undefined) return { method, url, headers: filled }
    if (as !== 'query') return { method, url, headers: filled, body }
    return { method, url: `${url}${url.includes('?') ? '&' : '?'}${body}`, headers: filled }
  }
  return (values) => {
    try {
      return make(values)
    } catch (error) {
      if (error instanceof UnfitValue) return undefined
      throw error
    }
  }
}

/** @returns the body as it is sent, or the query; undefined where the file has none */
function compileBody(
  { as, body }: ProviderFile['request'],
  { settings, declared }: RequestParts,
): ((values: MessageValues) => string) | undefined {
  if (body === undefined) return undefined
  const fill = fillTree(body, settings, declared) as (values: MessageValues) => Record<string, unknown> | undefined
  const emptyRoot = Object.fromEntries(Object.keys(body).map((root) => [root, '']))
  const empty = Array.isArray(body) ? [] : {}
  return (values) => {
    const members = fill(values)
    if (as === 'json') return JSON.stringify(members ?? empty)
    if (as !== 'xml') return encodeParameters(members ?? {})
    const written = writeXml(members ?? emptyRoot)
    if (written === undefined) throw new UnfitValue('XML cannot hold a text of the message')
    return written
  }
}

/** Whether the body is a part of what is signed. */
export function signsBody({ over }: { over: string }): boolean {
  return /\{\{\s*body[\s|}]/.test(over)
}

function compileUrl(url: string, parts: RequestParts): (values: MessageValues) => string {
  const place = placeIn(url, parts)
  const { rest } = splitUrl(url)
  const restOf = createFill(rest, parts.settings, parts.declared, (value) => encodeURIComponent(value.toWellFormed()))
  return (values) => `${place}${(restOf(values) as string | undefined) ?? ''}`
}

/** The scheme, host and port that are asked. What forms them is judged with the settings, and stays as it is. */
export function placeIn(url: string, { declared, settings, baseUrl }: RequestParts): string {
  return baseUrl ?? textOfFilled(createFill(splitUrl(url).place, settings, declared)({} as MessageValues))
}

function splitUrl(url: string): { place: string; rest: string } {
  const isWhole = /^\{\{\s*s\.base_url\s*\}\}/.test(url)
  const [, place = '', rest = ''] = isWhole
    ? (/^(\{\{[^}]*\}\})(.*)$/s.exec(url) ?? [])
    : (/^(https?:\/\/(?:\{\{[^}]*\}\}|[^/?#{])*)(.*)$/s.exec(url) ?? [])
  return { place, rest }
}

type Header = readonly [name: string, fill: Fill]

function buildHeaders(
  { headers, auth, as, body, sign }: ProviderFile['request'],
  { settings, declared }: RequestParts,
): Header[] {
  const own = Object.entries(headers).map(([name, text]): Header => [name, createFill(text, settings, declared)])
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  if (auth && !named.has('authorization')) own.push(['Authorization', toBasic(auth.basic, { settings, declared })])
  if (sign?.into !== undefined) own.push([sign.into, ({ signature }) => signature])
  const type = types[as]
  if (body !== undefined && type !== undefined && !named.has('content-type')) own.push(['Content-Type', () => type])
  return own
}

/** What a body is, by how it is sent. */
const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
}

function toBasic(
  pair: readonly [string, string],
  { settings, declared }: Pick<RequestParts, 'settings' | 'declared'>,
): Fill {
  const [user, password] = pair.map((text) => createFill(text, settings, declared)) as [Fill, Fill]
  return (values) => {
    const both = [user(values), password(values)].map((value) => (value === undefined ? '' : textOfFilled(value)))
    return `Basic ${Buffer.from(both.join(':')).toString('base64')}`
  }
}

/** @returns undefined where one has a character that no header may have: it could begin another one */
function filledHeaders(headers: readonly Header[], values: MessageValues): Record<string, string> | undefined {
  const filled: Record<string, string> = {}
  for (const [name, fill] of headers) {
    const value = fill(values)
    if (value === undefined) continue
    const text = textOfFilled(value)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return undefined
    filled[name] = text
  }
  return filled
}

function encodeParameters(members: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) {
    for (const one of [value].flat()) parameters.append(name, textOfFilled(one))
  }
  return parameters.toString()
}
