/** People who are signed in to the dashboard, without a browser. */
import { hash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { defaultAccount } from '../../src/domain/access/account.ts'
import type { Role } from '../../src/domain/access/actor.ts'
import { sessionCookie } from '../../src/http/dashboard/signedIn.ts'
import type { TestServer } from './server.ts'

export interface Visitor {
  userId: string
  /** Of the session, as the browser sends it. */
  cookie: string
  /** Follows no redirect. */
  get: (path: string, headers?: Record<string, string>) => Promise<Seen>
  /** Sends a form, as a page of the dashboard does. */
  post: (path: string, fields?: Fields, headers?: Record<string, string>) => Promise<Seen>
  /** Sends a form, and goes where that leads. */
  submit: (path: string, fields?: Fields) => Promise<Seen>
}

export type Fields = Record<string, string | string[]>

export interface Seen {
  status: number
  headers: Headers
  text: string
}

/** A new user of that role, signed in and proved a moment ago. */
export async function signIn(
  server: TestServer,
  role: Role,
  { account = defaultAccount, name = `a ${role}` }: { account?: string; name?: string } = {},
): Promise<Visitor> {
  const { id: accountId } = await server.app.accounts.require(account)
  const [userId, token] = [`usr_${server.runtime.newId()}`, randomBytes(32).toString('base64url')]
  const now = server.runtime.now().toISOString()
  const email = `${userId}@example.com`.toLowerCase()
  await server.query(sql`insert into dashboard_user (account_id, id, name, email, email_key, role, created_at)
    values (${accountId}, ${userId}, ${name}, ${email}, ${email}, ${role}, ${now})`)
  await server.query(sql`insert into dashboard_session
      (account_id, id, user_id, hash, is_pending, created_at, seen_at, proved_at, address, agent)
    values (${accountId}, ${`ses_${server.runtime.newId()}`}, ${userId}, ${hash('sha256', token, 'base64')}, false,
      ${now}, ${now}, ${now}, '127.0.0.1', 'a test')`)
  return { userId, ...visitorWith(server, `${sessionCookie}=${token}`) }
}

/** Somebody with these cookies, who keeps those that are set. */
export function visitorWith(
  { dashboardUrl }: Pick<TestServer, 'dashboardUrl'>,
  cookie: string,
): Omit<Visitor, 'userId'> {
  const jar = new Map<string, string>(cookie === '' ? [] : [cookie.split('=', 2) as [string, string]])
  const ask = async (path: string, init: RequestInit): Promise<Seen> => {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Cookie: cookies, ...(init.headers as Record<string, string>) }
    const response = await fetch(dashboardUrl + path, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const get: Visitor['get'] = (path, headers = {}) =>
    ask(path, { headers: { 'Sec-Fetch-Site': 'same-origin', ...headers } })
  const post: Visitor['post'] = (path, fields = {}, headers = {}) => {
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    const body = new URLSearchParams(pairs)
    return ask(path, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin', ...headers } })
  }
  return {
    cookie,
    get,
    post,
    submit: async (path, fields) => {
      const seen = await post(path, fields)
      const next = seen.headers.get('location')
      return seen.status === 303 && next !== null ? get(next) : seen
    },
  }
}
