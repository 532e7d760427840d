/** A server that is told to end. */
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer, type Listening, listen } from '../../src/http/server.ts'
import { converse, sendHead, statusesIn } from '../support/wire.ts'

const refusal = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

let answering: PromiseWithResolvers<void>
let listening: Listening
afterEach(() => answering.resolve())

/** @returns what comes back of a request that is worked on, and of one that does not come whole */
async function serveTwo() {
  const came = Promise.withResolvers<void>()
  answering = Promise.withResolvers()
  const server = createServer({
    listener: async (request, response) => {
      if (request.method === 'POST') await text(request).catch(() => {})
      else {
        came.resolve()
        await answering.promise
      }
      response.setHeader('Connection', 'close').end('done')
    },
    onBroken: () => refusal,
    onConnect: () => refusal,
  })
  listening = await listen(server, 0, '127.0.0.1')
  const url = `http://127.0.0.1:${listening.port}`
  const whole = converse(url, (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  const { received: half } = await sendHead(url, 'POST / HTTP/1.1\r\nContent-Length: 10')
  await came.promise
  return { whole, half }
}

describe('a server that is told to end', () => {
  it('waits for a request that it works on, and refuses one that does not come whole', async () => {
    const { whole, half } = await serveTwo()
    const shut = listening.shut(0, Number.POSITIVE_INFINITY)
    expect(statusesIn(await half)).toEqual([400])
    answering.resolve()
    expect(statusesIn(await whole)).toEqual([200])
    await shut
  })

  it('cuts off what is left when its time is over', async () => {
    const { whole, half } = await serveTwo()
    await listening.shut(0, performance.now())
    expect(statusesIn((await whole) + (await half))).toEqual([])
  }, 5000)
})
