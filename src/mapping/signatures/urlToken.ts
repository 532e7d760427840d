/** `url-token`: for providers that sign nothing. The address holds a secret of the connection. */
import { splitTarget } from './address.ts'
import { isSame } from './compared.ts'
import type { Verify } from './signedRequest.ts'

/** @param token the last part of the path of an address that reports come to */
export function createUrlToken(token: string): Verify {
  if (token === '') throw new Error('a token of reports must not be empty')
  return ({ target }) => {
    const { path } = splitTarget(target)
    return isSame(path.slice(path.lastIndexOf('/') + 1), token)
  }
}
