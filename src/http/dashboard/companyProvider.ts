/** A company's provider: found once, and read as much as any of them needs. What it does wrong is told from what this service does. */
import type { Configuration, CustomFetch } from 'openid-client'
import { Problem, unavailable } from '../../kit/problem.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { isAskFailure } from '../../outbound/failure.ts'
import type { OidcSettings } from '../../settings/oidc.ts'

/** Loaded at the first sign-in: it takes 6 MB, and most installations have no provider. */
export const openidClient = () => import('openid-client')

/** Seconds that the provider has for an answer. */
const answerSeconds = 10

/** Bytes of one answer, once it is unpacked. */
const answerBytesMax = 1024 * 1024

interface ProviderParts {
  runtime: Pick<Runtime, 'log' | 'internalErrors'>
  fetch: CustomFetch
}

/** @returns finds the provider: asked once, and again after a failure */
export function createProvider(
  settings: OidcSettings,
  { runtime, fetch }: ProviderParts,
): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined
  return () => {
    known ??= discover(settings, fetch).catch((error: unknown) => {
      known = undefined
      const told = findOtherIssuer(error, settings.issuer)
      if (told !== undefined) runtime.log.error({ set: settings.issuer, told }, mismatch)
      // The library reads the addresses in the provider's answer as they are.
      const isTheirs =
        told !== undefined || isAskFailure(error) || (error as { code?: unknown }).code === 'ERR_INVALID_URL'
      throw isTheirs ? unavailable(error) : noteFault(runtime, error)
    })
    return known
  }
}

/** @returns what the page says of it. The log has the rest: its message may quote what the provider sent */
export function noteFault({ internalErrors }: Pick<Runtime, 'internalErrors'>, error: unknown): Problem {
  internalErrors.note('sign-in', error)
  return new Problem('internal_error')
}

const mismatch = 'OIDC_ISSUER is not written as the provider names itself: set it to what it tells, each slash counts'

/** @returns how the provider names itself, where that is not what the settings say */
function findOtherIssuer(error: unknown, issuer: string): string | undefined {
  // The library wraps what it has found once more.
  const { cause } = error as { cause?: { cause?: unknown } }
  const bodies = [cause, cause?.cause].map((one) => (one as { body?: { issuer?: unknown } } | undefined)?.body)
  const told = bodies.find((body) => body !== undefined)?.issuer
  return typeof told === 'string' && told !== issuer && URL.canParse(told) ? told.slice(0, 300) : undefined
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings, fetch: CustomFetch): Promise<Configuration> {
  const client = await openidClient()
  const url = new URL(issuer)
  const isHere = url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return client.discovery(url, clientId, clientSecret, undefined, {
    timeout: answerSeconds,
    [client.customFetch]: boundedFetch(fetch),
    // Without it, the library takes an ID token unsigned, because it came over TLS. With it, the provider's keys are read
    // every five minutes, and for a key that is not among them once a minute.
    execute: [client.enableNonRepudiationChecks, ...(isHere ? [client.allowInsecureRequests] : [])],
  })
}

/** @returns asks as `fetch` does. It throws Error when the answer is longer than is read of it */
function boundedFetch(fetch: CustomFetch): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > answerBytesMax) {
        throw Object.assign(new Error("the provider's answer is too long"), { code: 'ANSWER_TOO_LONG' })
      }
      chunks.push(chunk)
    }
    const { status, statusText, headers } = response
    return new Response(chunks.length > 0 ? new Blob(chunks) : null, { status, statusText, headers })
  }
}
