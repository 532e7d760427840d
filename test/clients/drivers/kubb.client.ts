/** How the calls that kubb makes reach the service, and what they return. */

export interface RequestConfig<Body = unknown> {
  method?: string
  url?: string
  data?: Body
  params?: Record<string, string | number | undefined> | undefined
  headers?: Record<string, string | undefined>
}

export type ResponseErrorConfig<Refusal> = Refusal

/** One or the other: nothing can be read of a refusal before it was looked at. */
export type Answer<Data, Refusal> = { status: number } & (
  | { data: Data; error?: undefined }
  | { data?: undefined; error: Refusal }
)

export const service = { url: 'http://127.0.0.1:3000', key: process.env.WATCHWORD_API_KEY ?? '' }

export type Client = typeof call

export default async function call<Data, Refusal, Body = unknown>(
  request: RequestConfig<Body>,
): Promise<Answer<Data, Refusal>> {
  const { method = 'GET', url = '', data, params = {}, headers } = request
  const address = new URL(url, service.url)
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) address.searchParams.set(name, String(value))
  }
  const response = await fetch(address, {
    method,
    headers: {
      Authorization: `Bearer ${service.key}`,
      ...(data !== undefined && { 'Content-Type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    body: data === undefined ? null : JSON.stringify(data),
  })
  const { ok, status } = response
  return ok ? { status, data: (await response.json()) as Data } : { status, error: (await response.json()) as Refusal }
}
