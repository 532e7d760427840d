/** The bodies of requests to the API, as many come at once. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createBodies, createBodyIntake, jsonMedia } from '../../../src/http/api/body.ts'

/** A request whose body comes as far as the test says. */
function asking(more: Record<string, string> = {}) {
  const stream = new Readable({ read: () => {} })
  const headers = { 'content-type': 'application/json', ...more }
  const request = Object.assign(stream, { headers, complete: false }) as unknown as IncomingMessage
  return { stream, request }
}

const padded = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))

describe('of bodies that come at once', () => {
  it('the largest makes room, and its caller is told to come again', async () => {
    const { read } = createBodies(jsonMedia, createBodyIntake({ bytesAtOnceMax: 20_000 }))
    const large = [asking(), asking()]
    const refused = large.map(({ request }) => read(request, async () => 'done').catch((error: unknown) => error))
    large[0]!.stream.push('x'.repeat(12_000))
    large[1]!.stream.push('x'.repeat(7900))
    await new Promise(setImmediate)
    const small = asking()
    small.stream.push(padded(200))
    small.stream.push(null)
    expect(await read(small.request, async (body) => body.value)).toHaveLength(198)
    expect(await refused[0]).toMatchObject({ code: 'service_unavailable', status: 503 })
    // What still comes of it is read, so that the next request on that connection is not stuck behind it.
    expect(large[0]!.stream.isPaused()).toBe(false)
    large[1]!.stream.push(null)
    expect(await refused[1]).toMatchObject({ code: 'invalid_json' })
  })

  it('each has its place until its request is answered, and not longer', async () => {
    const { read } = createBodies(jsonMedia, createBodyIntake({ bytesAtOnceMax: 1000 }))
    const given = (bytes: number) => {
      const { stream, request } = asking({ 'content-length': String(bytes) })
      stream.push(padded(bytes))
      stream.push(null)
      return request
    }
    const answered = Promise.withResolvers<string>()
    const first = read(given(600), () => answered.promise)
    await new Promise(setImmediate)
    await expect(read(given(600), async () => 'done')).rejects.toMatchObject({ code: 'service_unavailable' })
    answered.resolve('done')
    expect(await first).toBe('done')
    expect(await read(given(600), async () => 'done')).toBe('done')
    const failed = read(given(600), () => Promise.reject(new Error('broken')))
    await expect(failed).rejects.toThrow('broken')
    expect(await read(given(600), async () => 'done')).toBe('done')
  })
})
