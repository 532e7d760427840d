/** A caller of the API. Every answer it gets is held to what is promised of every answer. */
import { expect } from 'vitest'
import type { components } from '../../generated/types.ts'

export interface Answer<Data = Record<string, unknown>> {
  status: number
  headers: Headers
  text: string
  success: boolean
  data: Data
}

export type ErrorData = components['schemas']['Problem']

export interface Client {
  post: <Data = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<Data>>
  put: <Data = Record<string, unknown>>(path: string, body: unknown) => Promise<Answer<Data>>
  delete: <Data = Record<string, unknown>>(path: string) => Promise<Answer<Data>>
  get: <Data = Record<string, unknown>>(path: string) => Promise<Answer<Data>>
  /** Sends a code. @returns its request_id */
  send: (phone: string, more?: object) => Promise<string>
  check: (requestId: string, code: string) => Promise<CheckData>
  status: (id: string) => Promise<string>
}

export interface CheckData {
  verified: boolean
  timestamp: string
  reason?: string
  attempts_remaining?: number
}

/** @param ready resolves when it may ask */
export function createClient(url: string, key: string | undefined, ready = async () => {}): Client {
  const authorization: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const request = async <Data>(method: string, path: string, init: RequestInit): Promise<Answer<Data>> => {
    await ready()
    return readAnswer(await fetch(url + path, { method, ...init }))
  }

  const write =
    (method: string): Client['post'] =>
    (path, body, headers = {}) =>
      request(method, path, {
        headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      })
  const post = write('POST')
  const get: Client['get'] = (path) => request('GET', path, { headers: authorization })

  return {
    post,
    put: write('PUT'),
    delete: (path) => request('DELETE', path, { headers: authorization }),
    get,
    send: async (phone, more = {}) => {
      const answer = await post<{ request_id: string }>('/v1/verify/send', { phone, ...more })
      expect(answer, answer.text).toMatchObject({ status: 200 })
      return answer.data.request_id
    },
    check: async (request_id, code) => {
      const answer = await post<CheckData>('/v1/verify/check', { request_id, code })
      expect(answer, answer.text).toMatchObject({ status: 200 })
      return answer.data
    },
    status: async (id) => (await get<{ status: string }>(`/v1/messages/${id}`)).data.status,
  }
}

export async function readAnswer<Data>(response: Response): Promise<Answer<Data>> {
  const { status, headers } = response
  const text = await response.text()
  const violations = JSON.parse(headers.get('sl-violations') ?? '[]') as { location: string[] }[]
  expect(
    violations.filter(({ location }) => location[0] === 'response'),
    text,
  ).toEqual([])
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/)
  const body = JSON.parse(text) as { success: boolean; data: Data }
  expect(Object.keys(body)).toEqual(['success', 'data'])
  expect(body.success).toBe(status < 400)
  if (!body.success) expectError(body.data as ErrorData, headers)
  return { status, headers, text, ...body }
}

function expectError(data: ErrorData, headers: Headers): void {
  expect(data.message).toMatch(/\S/)
  if (!headers.has('idempotent-replayed')) expect(data.trace_id).toBe(headers.get('x-trace-id'))
  expect(headers.get('retry-after')).toBe(data.retry_after === undefined ? null : String(data.retry_after))
}
