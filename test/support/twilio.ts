/** A service that speaks the wire of Twilio Verify, and callers of it that write each byte themselves. */
import { accountSidOf, serviceSidOf, verificationSidOf } from '../../src/domain/twilioSid.ts'
import type { Config } from '../../src/settings/config.ts'
import { startServer, type TestServer } from './server.ts'

export interface TwilioAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

interface TwilioCaller {
  get: (path: string) => Promise<TwilioAnswer>
  post: (path: string, form: Record<string, string>, headers?: Record<string, string>) => Promise<TwilioAnswer>
}

export interface TwilioStage {
  server: TestServer
  accountSid: string
  serviceSid: string
  /** Of the service: what stands before `/Verifications`. */
  root: string
  /** With a test key of the default account. */
  test: TwilioCaller
  /** A caller with a new key. */
  as: (changes: Parameters<TestServer['newKey']>[0]) => Promise<TwilioCaller>
  close: () => Promise<void>
}

export async function openTwilio(config: Partial<Config> = {}): Promise<TwilioStage> {
  const server = await startServer({ config: { twilioVerify: true, ...config } })
  const { id } = await server.app.accounts.require('default')
  const [accountSid, serviceSid] = [accountSidOf(id), serviceSidOf(id)]
  const root = `${server.url}/v2/Services/${serviceSid}`
  const as: TwilioStage['as'] = async (changes = {}) => {
    const { id: accountId } = await server.app.accounts.require(changes.account ?? 'default')
    return createCaller(root, accountSidOf(accountId), await server.key(changes))
  }
  return { server, accountSid, serviceSid, root, test: await as({}), as, close: server.close }
}

function createCaller(root: string, user: string, key: string): TwilioCaller {
  const authorization = basic(user, key)
  const ask = async (path: string, init: RequestInit): Promise<TwilioAnswer> => {
    const response = await fetch(root + path, init)
    const body = (await response.json()) as Record<string, unknown>
    return { status: response.status, headers: response.headers, body }
  }
  return {
    get: (path) => ask(path, { headers: { authorization } }),
    post: (path, form, headers = {}) =>
      ask(path, { method: 'POST', headers: { authorization, ...headers }, body: new URLSearchParams(form) }),
  }
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Reads a verification of the default account with a new live key, by its id and as that of a phone. */
export async function getAsTwilio({ url, key, app }: TestServer, messageId: string, phone: string): Promise<void> {
  const { id } = await app.accounts.require('default')
  const caller = createCaller(`${url}/v2/Services/${serviceSidOf(id)}`, accountSidOf(id), await key({ mode: 'live' }))
  for (const name of [verificationSidOf(messageId), encodeURIComponent(phone)]) {
    const { status } = await caller.get(`/Verifications/${name}`)
    if (status !== 200) throw new Error(`the verification was answered ${status}`)
  }
}
