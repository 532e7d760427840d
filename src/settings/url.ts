/** The addresses by which the world reaches the service. */

/** A path is one that a proxy takes off before it asks the API. */
export function isPublicUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/\\?#@]+(\/[^\s\\?#]*)?$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Its cookies are those of a whole host: a path would be no wall between it and others. */
export function isOrigin(text: string): boolean {
  return isPublicUrl(text) && new URL(text).pathname === '/'
}
