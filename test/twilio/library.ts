/** Twilio's own library for node, as much of it as is used here: its types are not those of this project. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../../scripts/contract/redocly.ts'

interface Twilio {
  (user: string, password: string, options?: ClientOptions): TwilioClient
  RequestClient: new () => HttpClient
  RestException: new (...given: never[]) => Error
}

interface ClientOptions {
  accountSid?: string
  httpClient?: HttpClient
}

/** What the library sends a request by; a program may give it another one. */
export interface HttpClient {
  request: (request: LibraryRequest) => Promise<object>
}

interface LibraryRequest {
  username?: string
  password?: string
  headers: Record<string, string>
}

export interface TwilioClient {
  verify: { baseUrl: string; v2: TwilioVersion }
  getHostname: (host: string, edge?: string, region?: string) => string
}

interface TwilioVersion {
  services: (sid: string) => TwilioService
  fetch: (request: { uri: string; method: string }) => Promise<object>
}

export interface TwilioService {
  fetch: () => Promise<{ sid: string; friendlyName: string; codeLength: number }>
  verifications: {
    create: (given: object) => Promise<Verification>
    (sid: string): { fetch: () => Promise<Verification>; update: (given: object) => Promise<Verification> }
  }
  verificationChecks: { create: (given: object) => Promise<Verification> }
}

interface Verification {
  sid: string
  status: string
  valid: boolean
  dateCreated: Date
}

// What `npm run test:twilio` alone installs.
export const twilio = createRequire(join(root, 'packages/twilio/package.json'))('twilio') as Twilio

/** A client of the library for the service at that address. */
export function clientOf(url: string, user: string, key: string, options: ClientOptions = {}): TwilioClient {
  const client = twilio(user, key, options)
  client.verify.baseUrl = url
  return client
}
