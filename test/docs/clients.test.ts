/** The client of `docs/clients.md`, run as it stands there, against the service and a network that loses and breaks answers. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { contract } from '../../src/contract/document.ts'
import { failure } from '../../src/http/answer.ts'
import { type ErrorCode, Problem } from '../../src/kit/problem.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { startServer, type TestServer } from '../support/server.ts'

const root = join(import.meta.dirname, '../..')
const [clientText, useText, ...others] = blocksOf('ts', sectionOf('docs/clients.md', 'A client that does not give up'))
const settings = ['WATCHWORD_URL', 'WATCHWORD_API_KEY'] as const

interface Use {
  sendCode: (phone: string, act: string) => Promise<{ requestId?: string; waitSeconds?: number; wrong?: string[] }>
}

/** What becomes of a request on its way: it is answered by a stranger, or forwarded and the answer is lost. */
type Fault = ErrorCode | 'page' | 'silence' | 'cut'

let folder: string
let service: TestServer
let network: Server
let use: Use
/** What the next requests meet, one each. */
let faults: Fault[] = []
let seen: { key: unknown; body: string }[] = []
const held: ServerResponse[] = []
let phones = 100

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-client-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const types = await openapiTypes(JSON.stringify(contract), { defaultNonNullable: false })
  await writeFile(join(folder, 'watchword.ts'), astToString(types))
  await writeFile(join(folder, 'client.ts'), `${clientText}\n`)
  await writeFile(join(folder, 'use.ts'), `${useText}\n`)
  service = await startServer()
  network = createServer(pass).listen(0, '127.0.0.1')
  await new Promise((resolve) => network.once('listening', resolve))
  vi.stubEnv('WATCHWORD_URL', `http://127.0.0.1:${(network.address() as AddressInfo).port}`)
  vi.stubEnv('WATCHWORD_API_KEY', await service.key())
  use = (await import(join(folder, 'use.ts'))) as Use
  for (const name of settings) expect(clientText).toContain(name)
  vi.unstubAllEnvs()
})
afterAll(async () => {
  network?.closeAllConnections()
  network?.close()
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  faults = []
  seen = []
  phones += 1
})

describe('the client of the page', () => {
  it('compiles under strict settings, with the types of the contract', () => {
    expect(others).toEqual([])
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
    const program = ts.createProgram({ rootNames: [join(folder, 'use.ts')], options })
    const found = ts.getPreEmitDiagnostics(program)
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  })

  it.each<Fault>([
    'idempotency_in_progress',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    'page',
    'silence',
    'cut',
  ])('sends one code, though a first try meets %s: the repeat has the same key and body', async (fault) => {
    faults = [fault]
    if (fault === 'silence') giveUpSoon()
    const { requestId } = await use.sendCode(phone(), `act-${phones}`)
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[0]?.key).toBe(`act-${phones}`)
    const { data } = await service.test.get<{ messages: { id: string }[] }>(
      `/v1/messages?phone=${encodeURIComponent(phone())}`,
    )
    expect(data.messages.map(({ id }) => id)).toEqual([requestId])
  })

  it.each<[string, Fault[], number]>([
    ['the service fails again and again', ['internal_error', 'internal_error', 'internal_error', 'internal_error'], 4],
    ['a key is used for another body', ['idempotency_key_reused'], 1],
  ])('ends with the code and the trace when %s', async (_when, met, tries) => {
    faults = met
    await expect(use.sendCode(phone(), `act-${phones}`)).rejects.toThrow(`${met[0]}, trace ${'0'.repeat(32)}`)
    expect(seen).toHaveLength(tries)
  })

  it('says that it was not the service that answered when only a proxy does', async () => {
    faults = ['page', 'page', 'page', 'page']
    await expect(use.sendCode(phone(), `act-${phones}`)).rejects.toThrow('answered 502')
  })

  it('hands a long wait to its caller, and what is wrong with a request, after one try', async () => {
    expect(await use.sendCode('+14155550160', 'a-hasty-act')).toEqual({ waitSeconds: expect.any(Number) })
    expect(await use.sendCode('+14155', 'an-impossible-act')).toEqual({ wrong: ['/phone'] })
    expect(await use.sendCode('nobody', 'a-wrong-act')).toEqual({ wrong: ['/phone'] })
    expect(seen).toHaveLength(3)
  })

  it('makes a key of its own for each call that has none', async () => {
    const { watchword } = (await import(join(folder, 'client.ts'))) as {
      watchword: { POST: (path: string, more: object) => Promise<unknown> }
    }
    for (const _one of [1, 2]) await watchword.POST('/v1/verify/send', { body: { phone: phone() } })
    const [one, other] = seen.map(({ key }) => key)
    expect([typeof one, one === other]).toEqual(['string', false])
  })
})

function phone(): string {
  return `+1415555${String(phones).padStart(4, '0')}`
}

/** The next try gives up as soon as its request has come, not after some seconds. */
function giveUpSoon(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => {
    const controller = new AbortController()
    const look = setInterval(() => {
      if (held.length === 0) return
      clearInterval(look)
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    }, 5)
    return controller.signal
  })
}

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  seen.push({ key: request.headers['idempotency-key'], body: body.toString() })
  const fault = faults.shift()
  if (fault === 'page') return void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
  if (fault === undefined || fault === 'silence' || fault === 'cut') {
    const { authorization = '', 'idempotency-key': key = '' } = request.headers
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': String(key) }
    const answer = await fetch(service.url + request.url, { method: 'POST', headers, body })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === 'silence') return void held.push(response)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(bytes)
    return
  }
  const retry = fault === 'rate_limited' || fault === 'service_unavailable' ? { retryAfterSeconds: 1 } : {}
  const { status, headers, body: refusal } = failure(new Problem(fault, retry), '0'.repeat(32))
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(refusal))
}
