/**
 * What undici, the socket, TLS, DNS and HTTP are known to throw when another server cannot be asked, or does not answer well.
 * Everything else is an error of this service.
 */

/** Of Node's sockets and DNS. `EMFILE` is none: a process that has no file left is no outage of a provider. */
const network: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
  ...['ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EACCES', 'EPERM', 'EPROTO', 'ENOTCONN'],
  ...['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'EBADRESP', 'EFORMERR', 'ENOTIMP', 'ETIMEOUT'],
  ...['ECANCELLED', 'EBADFAMILY', 'EBADQUERY', 'EOF', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'],
  // Ours, of a look-up that led to a closed network, of a sign-in, and of a forward proxy.
  ...['ADDRESS_REFUSED', 'ANSWER_TOO_LONG', 'PROXY_FAILED'],
])

const families = [
  /^UND_ERR_(CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|SOCKET|HEADERS_OVERFLOW|ABORTED|DESTROYED|CLOSED|INFO)$/,
  /^UND_ERR_(RES_CONTENT_LENGTH_MISMATCH|RES_EXCEEDED_MAX_SIZE|RESPONSE)$/,
  /^ERR_(SOCKET_CLOSED.*|SOCKET_CONNECTION_TIMEOUT|STREAM_PREMATURE_CLOSE)$/,
  // Of a body that cannot be unpacked, or becomes longer than is read of it.
  /^(Z_.*|ERR_BUFFER_TOO_LARGE)$/,
  // Of the parser of answers, and of OpenID Connect.
  /^(HPE|OAUTH)_/,
  // Of OpenSSL and its certificates.
  /^ERR_(TLS|SSL)_/,
  /^(CERT|CRL|UNABLE_TO)_|SELF_SIGNED_CERT|^(HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/,
]
/** Of what was given up after a time, of keys that a provider signs with, and of answers that the parser has no code for. */
const names: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError', 'DataError', 'HTTPParserError'])
/** `fetch` and libraries hand on what they were told as a cause. */
const depthMax = 5

export function isAskFailure(error: unknown): boolean {
  for (let [link, depth] = [error, 0]; link instanceof Error && depth < depthMax; link = link.cause, depth++) {
    const { code } = link as { code?: unknown }
    if (names.has(link.name) || isRefusalOfFetch(link)) return true
    if (typeof code === 'string' && (network.has(code) || families.some((family) => family.test(code)))) return true
  }
  return false
}

/** What `fetch` itself does not ask, such as a port of another protocol, or goes on to: it has no code. */
function isRefusalOfFetch({ message, cause }: Error): boolean {
  return message === 'fetch failed' && cause instanceof Error && cause.constructor === Error && !('code' in cause)
}

/** An error of this service in asking another server. */
export class AskFault extends Error {
  override readonly name = 'AskFault'
  /** Whether surely no byte of the question was written. */
  readonly isUnsent: boolean

  constructor(cause: unknown, isUnsent: boolean) {
    super('an error of this service in asking', { cause })
    this.isUnsent = isUnsent
  }
}
