/** What is read of the answers of a company's provider: as much as any of them needs. */
import type { CustomFetch } from 'openid-client'

/** Bytes of one answer, once it is unpacked. */
const answerBytesMax = 1024 * 1024

/** @returns asks as `fetch` does. It throws Error when the answer is longer than is read of it */
export function boundedFetch(fetch: CustomFetch): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > answerBytesMax) throw new Error("the provider's answer is too long")
      chunks.push(chunk)
    }
    const { status, statusText, headers } = response
    return new Response(chunks.length > 0 ? new Blob(chunks) : null, { status, statusText, headers })
  }
}
