import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer, type Listening, listen } from '../../src/http/server.ts'
import { converse, statusesIn } from '../support/wire.ts'

const refusal = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

let listening: Listening | undefined
afterEach(async () => {
  await listening?.shut(0, Number.POSITIVE_INFINITY)
  listening = undefined
})

async function serve(listener: RequestListener): Promise<string> {
  listening = await listen(
    createServer({ listener, onBroken: () => refusal, onConnect: () => refusal }),
    0,
    '127.0.0.1',
  )
  return `http://127.0.0.1:${listening.port}`
}

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const last = 'Connection: close\r\n'
const post = (body: string, more = '') =>
  `POST / HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`

/** Answers with the body, some turns of the loop later. */
const echo: RequestListener = async (request, response) => {
  const body = await text(request)
  await setImmediate()
  response.end(`<${request.url} ${body}>`)
}
const echoesIn = (received: string) => Array.from(received.matchAll(/<(.*?)>/gs), ([, echoed]) => echoed)

describe('requests that are sent ahead on one connection', () => {
  it('are worked on one at a time, and answered in their order', async () => {
    let [underWay, most] = [0, 0]
    const url = await serve(async (request, response) => {
      underWay += 1
      most = Math.max(most, underWay)
      await setImmediate()
      underWay -= 1
      response.end(`<${request.url}>`)
    })
    const paths = Array.from({ length: 1000 }, (_, number) => `/${number}`)
    const received = await converse(url, (socket) =>
      socket.write(`${paths.map((path) => ask(path)).join('')}${ask('/end', last)}`),
    )
    expect(echoesIn(received)).toEqual([...paths, '/end'])
    expect(most).toBe(1)
  })

  it('come after those of others that are there, also where they are answered at once', async () => {
    let answered = 0
    const url = await serve((request, response) => {
      answered += 1
      response.end(`<${request.url} ${answered}>`)
    })
    const crowd = Array.from({ length: 20 }, () =>
      converse(url, (socket) => socket.write(`${ask('/flood').repeat(500)}${ask('/flood', last)}`)),
    )
    await expect.poll(() => answered).toBeGreaterThan(20)
    const before = answered
    const [, at] = echoesIn(await converse(url, (socket) => socket.write(ask('/one', last))))[0]!.split(' ')
    // Connecting and asking take some turns of the loop, and each of the others has one request in a turn.
    expect(Number(at) - before).toBeLessThan(20 * 40)
    expect(Number(at)).toBeLessThan(20 * 501)
    for (const received of await Promise.all(crowd)) expect(statusesIn(received)).toHaveLength(501)
  })

  it('arrive whole, however they are cut up on the way and whatever their bodies hold', async () => {
    const url = await serve(echo)
    const body = fc.string({ unit: fc.constantFrom('\r\n\r\n', '\r\n', 'a', 'GET / HTTP/1.1\r\n\r\n'), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 60 })),
        async (bodies, sizes) => {
          const sent = bodies.map((text, index) => post(text, index === bodies.length - 1 ? last : '')).join('')
          const received = await converse(url, async (socket) => {
            socket.setNoDelay()
            for (let at = 0; at < sent.length; ) {
              const size = sizes.next().value as number
              socket.write(sent.slice(at, at + size))
              at += size
              await setImmediate()
            }
          })
          expect(echoesIn(received)).toEqual(bodies.map((text) => `/ ${text}`))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('are all answered to who then sends no more and waits', async () => {
    const url = await serve(echo)
    const received = await converse(url, (socket) => socket.end(`${post('one')}${post('two')}${post('three')}`))
    expect(echoesIn(received)).toEqual(['/ one', '/ two', '/ three'])
  })

  it('wait for the body of the one before, which is asked for when it says so', async () => {
    const url = await serve(echo)
    const body = 'x'.repeat(100)
    const received = await converse(url, async (socket) => {
      socket.write(`${post('one')}POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`)
      await once(socket, 'data')
      socket.write(`${body}${ask('/end', last)}`)
    })
    expect(received).toContain('HTTP/1.1 100 Continue')
    expect(echoesIn(received)).toEqual(['/ one', `/ ${body}`, '/end '])
  })

  it('are dropped where one of them is no HTTP', async () => {
    const url = await serve(echo)
    const received = await converse(url, (socket) => socket.write(`${post('one')}nonsense\r\n\r\n${post('two')}`))
    expect(echoesIn(received)).toEqual(['/ one'])
    expect(statusesIn(received)).toEqual([200])
  })

  it('come to nothing with their connection, and others go on', async () => {
    const url = await serve(echo)
    for (let i = 0; i < 20; i++) {
      await converse(url, (socket) => {
        socket.write(post('one').repeat(50))
        socket.once('data', () => socket.destroy())
      })
    }
    expect(await (await fetch(url)).text()).toBe('</ >')
  })
})
