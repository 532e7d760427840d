/** What a browser is told of every answer: to keep nothing, to load from here alone, and to show it in no frame. */

const content = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "form-action 'self'"],
  ...["base-uri 'none'", "frame-ancestors 'none'"],
].join('; ')

export const policy: Readonly<Record<string, string>> = {
  'Content-Security-Policy': content,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
