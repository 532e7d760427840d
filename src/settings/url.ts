/** The addresses by which the world reaches the service. */

/** A path is one that a proxy takes off before it asks the API. */
export function isPublicUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/\\?#@]+(\/[^\s\\?#]*)?$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Its path stands in cookies, links and redirects, so it has no character that any of them would have to encode. */
export function isDashboardUrl(text: string): boolean {
  return isPublicUrl(text) && /^\/$|^(\/[\w.~-]+)+\/?$/.test(new URL(text).pathname)
}

/** @param words what it must be: a host alone is told what it lacks */
export function urlWords(words: string) {
  return ({ input }: { input?: unknown }): string =>
    typeof input === 'string' && !/^https?:\/\//i.test(input)
      ? 'must begin with http:// or https://, like https://codes.example.com'
      : words
}
