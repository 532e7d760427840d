/** `url-token`: for providers that sign nothing. The address holds a secret of the connection. */
import { z } from 'zod'
import { partsOf } from './address.ts'
import { isSame } from './compared.ts'
import type { Verify } from './signedReport.ts'

export const urlTokenForm = z.strictObject({ scheme: z.literal('url-token') })

/** @param token the last part of the path of an address that reports come to */
export function createUrlToken(token: string): Verify {
  if (token === '') throw new Error('a token of reports must not be empty')
  return ({ target }) => {
    const { path } = partsOf(target)
    return isSame(path.slice(path.lastIndexOf('/') + 1), token)
  }
}
