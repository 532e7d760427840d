/** Which of several servers is written to, when servers do what servers do. */
import { expect, it } from 'vitest'
import { ConnectionFailed } from '../../../src/store/engine/failure.ts'
import { createServers } from '../../../src/store/engine/postgres/servers.ts'

function scene(writers: string[]) {
  const probed: string[] = []
  const moves: string[] = []
  const servers = createServers({
    urls: ['a', 'b', 'c'],
    probe: async (url) => {
      probed.push(url)
      // One that is gone without a word.
      if (url === 'c') await new Promise(() => {})
      if (!writers.includes(url)) throw new Error(`${url} only reads`)
    },
    onMove: () => moves.push(servers.current()),
  })
  return { servers, probed, moves, writers }
}

it('nobody is asked while nothing is wrong, and the first server is taken', async () => {
  const { servers, probed } = scene(['a'])
  await servers.settle()
  servers.suspect('b')
  await servers.settle()
  expect([servers.current(), servers.isSuspect(), probed]).toEqual(['a', false, []])
})

it('the one that takes writes is found once for all who wait, past one that never answers', async () => {
  const { servers, probed, moves } = scene(['b'])
  servers.suspect('a')
  await Promise.all([servers.settle(), servers.settle()])
  expect([servers.current(), servers.isSuspect(), moves]).toEqual(['b', false, ['b']])
  expect(probed).toEqual(['a', 'b', 'c'])
})

it('the same one is kept when it is back, and nobody is moved', async () => {
  const { servers, moves } = scene(['a'])
  servers.suspect('a')
  await servers.settle()
  expect([servers.current(), servers.isSuspect(), moves]).toEqual(['a', false, []])
})

it('where none takes writes, that is the failure; one alone is never looked for', async () => {
  const none = createServers({ urls: ['a', 'b'], probe: () => Promise.reject(new Error('no')), onMove: () => {} })
  none.suspect('a')
  await expect(none.settle()).rejects.toThrow(ConnectionFailed)
  expect(none.isSuspect()).toBe(true)
  const one = createServers({ urls: ['a'], probe: () => Promise.reject(new Error('no')), onMove: () => {} })
  one.suspect('a')
  await one.settle()
  expect(one.isSuspect()).toBe(false)
})
