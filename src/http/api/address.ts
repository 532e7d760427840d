/** Where the one who asks has found the API. */
import type { IncomingMessage } from 'node:http'
import { contract } from '../../contract/document.ts'
import { toOrigin } from '../host.ts'

/** @returns the API's address, without a slash at the end */
export type AddressOf = (request: Pick<IncomingMessage, 'headers'>) => string

/** What an answer depends on that has such an address in it. */
export const addressHeaders = 'Host, X-Forwarded-Proto'

/** @param publicUrl what the operator says; else the address is the one that the request was sent to */
export function createAddressOf(publicUrl: string | undefined): AddressOf {
  return ({ headers }) => {
    if (publicUrl !== undefined) return publicUrl
    // A proxy that takes TLS off says so, and one behind it adds to that. Whoever else says it, says it to himself.
    const [said = ''] = String(headers['x-forwarded-proto']).split(',')
    const scheme = said.trim().toLowerCase() === 'https' ? 'https' : 'http'
    return toOrigin(scheme, headers.host ?? '') ?? contract.servers[0]!.url
  }
}
