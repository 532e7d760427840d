/** Names that others choose, and their servers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLookup, type LookupParts } from '../../src/outbound/lookup.ts'
import { type NameServer, startNameServer } from '../support/nameServer.ts'
import { freePort } from '../support/port.ts'

const [v4, v6] = ['93.184.216.34', '2606:4700:4700::1111']
let server: NameServer
let folder: string
let hostsFile: string

beforeAll(async () => {
  server = await startNameServer({
    'hook.example': [v4, v6],
    'six.example': [v6],
    'pinned.example': [v4],
    'silent.example': 'silent',
    'other.silent.example': 'silent',
    'empty.example': [],
  })
  folder = mkdtempSync(join(tmpdir(), 'hosts-'))
  hostsFile = join(folder, 'hosts')
  writeFileSync(
    hostsFile,
    '# pinned.example\n127.0.0.1\tlocalhost\n\n10.0.0.7 Pinned.example  own # 10.0.0.8 hook.example\n' +
      'fd12::7 pinned.example\r\nnonsense hook.example\n',
  )
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** A look-up, and what of it went to the system. */
function open(parts: LookupParts = {}) {
  const bySystem: string[] = []
  const system = async (name: string) => {
    bySystem.push(name)
    return [{ address: '10.9.9.9', family: 4 }]
  }
  const find = createLookup({ servers: [server.address], hostsFile, system, tryMs: 50, ...parts })
  return { bySystem, find, addresses: async (name: string) => (await find(name)).map(({ address }) => address) }
}

describe('a name', () => {
  it.each([
    ['hook.example', [v4, v6]],
    ['HOOK.example', [v4, v6]],
    ['hook.example.', [v4, v6]],
    ['six.example', [v6]],
  ])('that DNS knows has all the addresses from there, and the system is not asked: %s', async (name, addresses) => {
    const { bySystem, find } = open()
    expect(await find(name)).toEqual(addresses.map((address) => ({ address, family: address === v6 ? 6 : 4 })))
    expect(bySystem).toEqual([])
  })

  it.each(['pinned.example', 'PINNED.example.'])('that the hosts file has is as that says: %s', async (name) => {
    const { bySystem, addresses } = open()
    expect(await addresses(name)).toEqual(['10.0.0.7', 'fd12::7'])
    expect(bySystem).toEqual([])
  })

  it.each(['own', 'hook.example'])('is found where there is no hosts file: %s', async (name) => {
    const { addresses } = open({ hostsFile: join(folder, 'none') })
    expect(await addresses(name)).toEqual(name === 'own' ? ['10.9.9.9'] : [v4, v6])
  })

  it.each(['unknown.example', 'empty.example', 'receiver', `${'a'.repeat(64)}.example`])(
    'that DNS does not know is asked of the system, which knows the short ones of its network: %s',
    async (name) => {
      const { bySystem, addresses } = open()
      expect(await addresses(name)).toEqual(['10.9.9.9'])
      expect(bySystem).toEqual([name])
    },
  )

  it('is asked of the system where there is no DNS', async () => {
    const { addresses } = open({ servers: [`127.0.0.1:${await freePort()}`] })
    expect(await addresses('hook.example')).toEqual(['10.9.9.9'])
  })

  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('of this machine is asked of no server: %s', async (name) => {
    const { bySystem, find } = open()
    await find(name)
    expect(bySystem).toEqual([name])
    expect(server.asked).not.toContain(name.toLowerCase())
  })
})

describe('a name whose servers are silent', () => {
  it('fails in a bounded time, and is not asked of the system, which would wait too', async () => {
    const { bySystem, find } = open()
    await expect(find('silent.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    expect(bySystem).toEqual([])
  })

  it('holds up no other name, however many are', async () => {
    const { bySystem, addresses, find } = open({ tryMs: 1000 })
    const names = ['silent.example', 'other.silent.example']
    for (let count = 0; count < 50; count++) void find(names[count % 2]!).catch(() => {})
    expect(await addresses('hook.example')).toEqual([v4, v6])
    expect(await addresses('receiver')).toEqual(['10.9.9.9'])
    expect(bySystem).toEqual(['receiver'])
  })

  it('and that the system is asked for, holds one of its threads at most', async () => {
    const bySystem: string[] = []
    const system = (name: string) => {
      bySystem.push(name)
      return new Promise<never>(() => {})
    }
    const { addresses, find } = open({ system })
    for (const name of ['unknown.example', 'receiver', 'empty.example']) void find(name)
    expect(await addresses('hook.example')).toEqual([v4, v6])
    await expect
      .poll(() => server.asked)
      .toEqual(expect.arrayContaining(['unknown.example', 'receiver', 'empty.example']))
    expect(await addresses('hook.example')).toEqual([v4, v6])
    expect(bySystem).toHaveLength(1)
  })
})
