/** How the calls that kubb makes reach the service. */

export interface RequestConfig<Body = unknown> {
  method?: string
  url?: string
  data?: Body
  params?: Record<string, string | number | undefined> | undefined
  headers?: Record<string, string | undefined>
}

export type ResponseErrorConfig<Refusal> = Refusal

/** One or the other, so that nobody overlooks a refusal. */
export type Answer<Data, Refusal> = { status: number } & (
  | { data: Data; error?: undefined }
  | { data?: undefined; error: Refusal }
)

export type Client = typeof ask

export const service = { url: '', key: '' }

export default async function ask<Data, Refusal, Body = unknown>(
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
  const { status } = response
  return response.ok
    ? { status, data: (await response.json()) as Data }
    : { status, error: (await response.json()) as Refusal }
}
