/** A request to an operation of the contract, and how it is sent. */

export interface Request {
  /** Of the API; undefined for a request without one. */
  key: string | undefined
  /** What fills the places in the path, by their names. */
  path?: Record<string, string>
  /** Text is sent as it is. */
  query?: string | Record<string, string> | [string, string][]
  headers?: Record<string, string>
  /** Text is sent as it is, all else as JSON. */
  body?: unknown
}

export function buildHeaders({ key, body, headers }: Request): Record<string, string> {
  return {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  }
}

/** As it is sent; undefined for a request without one. */
export function bodyOf({ body }: Request): string | undefined {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/**
 * Path and query as they are sent.
 *
 * @param path as the contract writes it: `/v1/messages/{id}`
 * @throws Error when a place has no value, or a value no place
 */
export function buildTarget(path: string, { path: values = {}, query = '' }: Pick<Request, 'path' | 'query'>): string {
  const left = new Set(Object.keys(values))
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_place, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`nothing was given for {${name}} in ${path}`)
    left.delete(name)
    return encodeURIComponent(value)
  })
  if (left.size > 0) throw new Error(`${path} has no place for ${[...left].join(', ')}`)
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}
