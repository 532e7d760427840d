/** What every auth system does with a post: it sends bytes to a URL, and reads a status and a text. */

export interface Post {
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

export async function send(url: string, { headers, body }: Post): Promise<Answer> {
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** JSON as Go's encoder writes it: with these letters escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
