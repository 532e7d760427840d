/** Reads the parameters of a request: each once, and of the type that the contract gives it. */
import type { IncomingMessage } from 'node:http'
import type { ParameterTypes } from '../../contract/facts.ts'
import type { ErrorDetail } from '../../kit/problem.ts'
import { readTargetQuery } from '../target.ts'
import { readQuery } from './query.ts'
import { typed } from './typed.ts'

/** For the validator and the handler: a text that is not of its type stays one. */
export interface Parameters {
  path: Record<string, unknown>
  /** Undefined: the operation takes none, and whatever stands there, nobody reads. */
  query: Record<string, unknown> | undefined
  /** By their names in the contract. */
  header: Record<string, unknown> | undefined
  /** What a validator cannot see. */
  faults: readonly ErrorDetail[]
}

type Types = Readonly<Record<string, string>>
type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>

/** @param path the values of its parameters, decoded */
export function readParameters(request: Asked, path: Record<string, string>, types: ParameterTypes): Parameters {
  const query = types.query ? readQuery(readTargetQuery(request.url ?? ''), types.query) : none
  const header = types.header ? readHeaders(request, types.header) : none
  const faults = header.faults.length > 0 ? [...query.faults, ...header.faults] : query.faults
  return { path: types.path ? readPath(path, types.path) : path, query: query.values, header: header.values, faults }
}

const none = { values: undefined, faults: [] }

function readPath(path: Record<string, string>, types: Types): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in types) values[name] = typed(path[name] as string, types[name])
  return values
}

/** Those that the contract has; all others are somebody else's. */
function readHeaders({ headers, rawHeaders }: Asked, types: Types) {
  const values: Record<string, unknown> = {}
  const faults: ErrorDetail[] = []
  for (const name in types) {
    const lowerCase = name.toLowerCase()
    const text = headers[lowerCase]
    if (text === undefined) continue
    // Node joins some that come twice, and drops the second of others.
    if (countUp(lowerCase, rawHeaders) > 1)
      faults.push({ field: `header:${name}`, code: 'repeated', message: 'must come once' })
    else values[name] = typed(String(text), types[name])
  }
  return { values, faults }
}

/** @param rawHeaders names and values by turns */
function countUp(lowerCase: string, rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === lowerCase.length && name.toLowerCase() === lowerCase) count++
  }
  return count
}
