/** What was just done, told at the top of the next page: sealed, so that nobody else puts words there. */
import type { Secrets } from '../../domain/access/secret.ts'
import type { Cookies } from './cookie.ts'

export interface Said {
  /** @returns the cookie that carries it to that session's next page */
  put: (sessionId: string, said: Saying) => string
  /** @returns it once, and the cookie that ends it */
  take: (sessionId: string, cookies: ReadonlyMap<string, string>) => { saying?: Saying; cookies: string[] }
}

export interface Saying {
  kind: 'done' | 'fault'
  text: string
}

const base = 'watchword_said'
const secondsMax = 60

export function createSaid(secrets: Pick<Secrets, 'seal' | 'open'>, cookies: Cookies): Said {
  const contextOf = (sessionId: string) => `said/${sessionId}`
  return {
    put: (sessionId, said) =>
      cookies.set(base, secrets.seal(JSON.stringify(said), contextOf(sessionId)).toString('base64url'), secondsMax),
    take: (sessionId, given) => {
      const sealed = cookies.read(given, base)
      if (sealed === undefined) return { cookies: [] }
      const ended = { cookies: [cookies.clear(base)] }
      try {
        const text = secrets.open(Buffer.from(sealed, 'base64url'), contextOf(sessionId))
        return { saying: JSON.parse(text) as Saying, ...ended }
      } catch {
        return ended
      }
    },
  }
}
