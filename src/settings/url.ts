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
