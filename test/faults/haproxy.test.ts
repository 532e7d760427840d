/**
 * A failover behind HAProxy, which asks each server's agent whether that is the primary, as Patroni's would say. It needs
 * Debian's package `haproxy`; without it, it is skipped and says so.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/port.ts'
import { type Between, startBetween, versionOf } from './between.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { createLoad, expectKept } from './load.ts'
import { type Service, startService } from './service.ts'

const version = await versionOf('haproxy')

describe.skipIf(!version)(`behind ${version?.split(' ').slice(0, 3).join(' ')}`, () => {
  let folder: string
  let cluster: Cluster
  let agents: { port: number; server: Server }[]
  let proxy: Between
  let service: Service
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-failover-'))
    await chmod(folder, 0o711)
    cluster = await openCluster(folder)
    agents = await Promise.all([0, 1].map((node) => startAgent(cluster.urlOf(node))))
    const port = await freePort()
    proxy = await startBetween('haproxy', port, configuration(port, cluster, agents))
    service = await startService(`postgres://postgres:postgres@127.0.0.1:${port}/failover`)
  })
  afterAll(async () => {
    await service?.stop()
    await proxy?.stop()
    for (const { server } of agents ?? []) server.close()
    await cluster?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('loses nothing that was acknowledged, and is back within 10 s of each of two promotions', async () => {
    const load = createLoad(service.post)
    const ready = async () => (await fetch(`${service.opsUrls()[0]}/readyz`)).status
    for (let round = 0; round < 2; round++) {
      const before = load.acknowledged()
      await expect.poll(load.acknowledged, { timeout: 10_000 }).toBeGreaterThan(before + 50)
      await cluster.strike('SIGKILL')
      await expect.poll(ready, { timeout: 10_000 }).toBe(503)
      const struck = load.acknowledged()
      const promotedAt = performance.now()
      await cluster.promote()
      await expect.poll(load.acknowledged, { timeout: 10_000, interval: 5 }).toBeGreaterThan(struck)
      process.stdout.write(`  a send passes ${Math.round(performance.now() - promotedAt)} ms after the promotion\n`)
      await expect.poll(ready, { timeout: 10_000 }).toBe(200)
      await cluster.rejoin()
    }
    await expectKept(cluster.urlOf(cluster.primary()), await load.stop(), service.post)
  })
})

function configuration(port: number, cluster: Cluster, agents: { port: number }[]): string {
  const server = (at: number, index: number) => `  server db-${index} 127.0.0.1:${at} check port ${agents[index]?.port}`
  return `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen watchword
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${cluster.ports.map(server).join('\n')}
`
}

/** Answers 200 while its server takes writes. */
async function startAgent(url: string): Promise<{ port: number; server: Server }> {
  const port = await freePort()
  const server = createServer(async (_request, response) => {
    // What the client asks for by itself, it rejects where no caller hears of it: the server may be gone by then.
    const sql = postgres(url, { max: 1, connect_timeout: 1, onnotice: () => {}, fetch_types: false })
    const [row] = await sql`select pg_is_in_recovery() as standby`.catch(() => [])
    await sql.end({ timeout: 0 })
    response.statusCode = row?.standby === false ? 200 : 503
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { port, server }
}
