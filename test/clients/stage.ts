/** What generated clients meet: a service that runs, its contract in files, and a service that is newer than they are. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/contract/redocly.ts'
import { startServer } from '../support/server.ts'

/** What `npm run test:clients` alone installs. */
const packages = join(root, 'packages/clients/node_modules')
export const drivers = join(import.meta.dirname, 'drivers')

export interface Stage {
  /** A folder with both forms of the contract, in which each team has its own. */
  scratch: string
  url: string
  /** @returns a new test key */
  key: () => Promise<string>
  /** Of a service whose list of error codes has grown. */
  newerUrl: string
  close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const scratch = await mkdtemp(join(tmpdir(), 'watchword-clients-'))
  await symlink(packages, join(scratch, 'node_modules'))
  await writeFile(join(scratch, 'package.json'), '{ "type": "module" }')
  await cp(join(import.meta.dirname, 'outcome.ts'), join(scratch, 'outcome.ts'))
  const server = await startServer()
  // As a client team gets them, from a service that runs.
  for (const name of ['openapi.json', 'openapi.3.1.json']) {
    await writeFile(join(scratch, name), await (await fetch(`${server.url}/${name}`)).text())
  }
  const newer = createServer((_request, response) => {
    const data = { code: 'code_of_tomorrow', message: 'Not yet.', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' }
    response.writeHead(404, { 'Content-Type': 'application/json' }).end(JSON.stringify({ success: false, data }))
  })
  await once(newer.listen(0, '127.0.0.1'), 'listening')
  const { port } = newer.address() as AddressInfo
  const close = async () => {
    await rm(scratch, { recursive: true, force: true })
    await server.close()
    newer.close()
  }
  return { scratch, url: server.url, key: () => server.key(), newerUrl: `http://127.0.0.1:${port}`, close }
}

/** Runs a generator from npm in a team's folder. */
export async function generate(cwd: string, tool: string, ...options: string[]): Promise<void> {
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  await promisify(execFile)(process.execPath, [join(packages, '.bin', tool), ...options], { cwd, env })
}

/** As it is installed here: `orval 8.33.0`. */
export function withVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return `${name} ${version}`
}
