/** What the `Content-Type` of a request says, as clients write it and proxies hand it on. */
import { parse } from 'content-type'

export interface MediaType {
  /** In lower case; empty where there is none, or where two differ. */
  type: string
  /** In lower case; undefined where none is named. */
  charset: string | undefined
}

/** Some proxies add the header a second time, which makes a list of it: the same type twice is one type (RFC 9110, section 8.3). */
export function readMediaType(header = ''): MediaType {
  const said = header.split(',').map((one) => parse(one.trim()))
  const types = new Set(said.map(({ type }) => type))
  const charsets = new Set(said.flatMap(({ parameters }) => charsetIn(parameters.charset) ?? []))
  return {
    type: types.size === 1 ? said[0]!.type : '',
    charset: charsets.size === 0 ? undefined : [...charsets].join(', '),
  }
}

/** Also in apostrophes, which quote nothing in HTTP. */
function charsetIn(written = ''): string | undefined {
  const name = written.replace(/^[\s'"]+|[\s'"]+$/g, '').toLowerCase()
  return name === '' ? undefined : name
}
