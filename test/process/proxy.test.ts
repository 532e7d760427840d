/** A service in a network that lets requests out through a proxy alone, and that trusts its company's own authority. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonOf, run } from '../support/cli.ts'
import { type Client, createClient } from '../support/client.ts'
import { type ConnectProxy, startConnectProxy } from '../support/connectProxy.ts'
import { certificate, ownCa } from '../support/ownCa.ts'
import { launchProcess, printed, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

const password = 'p@ss/word'
const secret = `whsec_${Buffer.from('a secret of the gateway, for tests').toString('base64')}`
/** Whom others are asked for, each by a name that the proxy alone knows. */
const hosts = ['sms', 'hooks', 'login', 'collector'].map((name) => `${name}.provider.example`)
const asked: string[] = []
const others = createServer(certificate, (request, response) => {
  asked.push(`${request.method} ${request.headers.host}${request.url}`)
  request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end('{}'))
})

let folder: string
let proxy: ConnectProxy
let service: Running
let client: Client
let port: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-proxy-'))
  others.listen(0, '127.0.0.1')
  await once(others, 'listening')
  port = (others.address() as AddressInfo).port
  const places = Object.fromEntries(hosts.map((host) => [`${host}:443`, port]))
  proxy = await startConnectProxy(places, { credentials: `watchword:${password}` })
  await writeFile(join(folder, 'ca.pem'), ownCa)
  service = await whenReady(
    launchProcess('serve', {
      DATA_DIR: folder,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      OUTBOUND_PROXY: proxy.url.replace('://', `://watchword:${encodeURIComponent(password)}@`),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.provider.example',
      OIDC_ISSUER: 'https://login.provider.example',
      ...{ OIDC_CLIENT_ID: 'watchword', OIDC_CLIENT_SECRET: 'a secret', OIDC_ROLES: 'staff=viewer' },
    }),
  )
  client = createClient(service.url, (await readFile(join(folder, 'live-key'), 'utf8')).trim())
  jsonOf(await cli('endpoints', 'add', 'https://hooks.provider.example/events', '--json'))
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await proxy?.close()
  others.closeAllConnections()
  others.close()
  await rm(folder, { recursive: true, force: true })
})

const cli = (...args: string[]) => run({ DATA_DIR: folder }, args)

/** Makes it the only connection. */
async function connectTo(url: string): Promise<void> {
  const file = join(folder, 'channels.yaml')
  await writeFile(file, JSON.stringify([{ id: 'gateway', kind: 'http', url, secret }]))
  jsonOf(await cli('channels', 'apply', file, '--json'))
}

it('asks providers, endpoints, the sign-in of the company and the collector through the proxy', async () => {
  await connectTo('https://sms.provider.example/send')
  await client.send(newPhone())
  await fetch(`${service.dashboardUrl}/sign-in/company`, { redirect: 'manual' })
  const wanted = [
    ...['POST sms.provider.example/send', 'POST hooks.provider.example/events'],
    ...['GET login.provider.example/.well-known/openid-configuration', 'POST collector.provider.example/v1/traces'],
  ]
  await expect.poll(() => asked).toEqual(expect.arrayContaining(wanted))
  expect(new Set(proxy.asked.map(({ place }) => place))).toEqual(new Set(hosts.map((host) => `${host}:443`)))
  expect(proxy.plain).toEqual([])
})

it('asks what is on its machine directly, by a certificate of an authority that Node is told of', async () => {
  const before = proxy.asked.length
  await connectTo(`https://localhost:${port}/own`)
  await client.send(newPhone())
  await expect.poll(() => asked).toContain(`POST localhost:${port}/own`)
  expect(proxy.asked.slice(before).map(({ place }) => place)).not.toContain(`localhost:${port}`)
})

it('says in log and timeline what the proxy refuses, and never its credentials', async () => {
  proxy.behave(403)
  await connectTo('https://other.provider.example/send')
  const id = await client.send(newPhone())
  await printed(service, 'the proxy refuses this address (403)')
  const shown = await cli('messages', 'show', id)
  expect(shown.stdout).toContain('the proxy refuses this address (403)')
  for (const text of [service.output(), service.errors(), shown.stdout])
    for (const told of [password, encodeURIComponent(password), btoa(`watchword:${password}`)])
      expect(text).not.toContain(told)
})
