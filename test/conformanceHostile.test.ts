/** The check of a deployment from outside, against one that wants to harm whoever runs it. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startDeadline, waitWithin } from '../scripts/conformance/deadline.ts'
import { createDeployment } from '../scripts/conformance/deployment.ts'
import { Unusable } from '../scripts/conformance/finding.ts'
import { type Outcome, runChecks } from '../scripts/conformance/run.ts'
import { contract } from '../src/contract/document.ts'
import { newKey } from '../src/domain/keyText.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function started(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function checked(url: string, only: string, minutes = 1): Promise<Outcome[]> {
  const { signal, clear } = startDeadline(minutes)
  const deployment = createDeployment({
    ...{ url, key: newKey('test'), scopedKey: undefined, timeoutSeconds: 60, long: false, allowedHeaders: [] },
    ...{ deadline: signal, wait: (seconds: number) => waitWithin(signal, seconds) },
  })
  try {
    return await runChecks({ deployment, only, onOutcome: () => {} })
  } finally {
    clear()
    await deployment.close()
  }
}

const [theContract, noSuchPath] = ['the contract that it publishes', 'route_not_found']

describe('an answer', () => {
  it('without an end is a fault, and is read no further', async () => {
    const ended = vi.fn()
    const url = await started((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
      }
      response.on('drain', more).on('close', ended)
      more()
    })
    const [outcome] = await checked(url, theContract)
    expect(outcome).toMatchObject({ state: 'failed', words: 'the answer is larger than 4194304 bytes' })
    await vi.waitFor(() => expect(ended).toHaveBeenCalled())
  })

  it('that is packed is a fault, and is not unpacked', async () => {
    const packed = gzipSync(JSON.stringify(contract))
    const url = await started((request, response) => {
      const isWanted = request.headers['accept-encoding'] !== 'identity'
      response.writeHead(isWanted ? 500 : 200, { 'Content-Encoding': 'gzip' }).end(packed)
    })
    const [outcome] = await checked(url, theContract)
    expect(outcome?.words).toBe('the answer is packed (gzip), though it was asked not to be')
  })

  it('is told of in one short line', async () => {
    const data = { code: `a\n${'b'.repeat(1_000_000)}` }
    const url = await started((_request, response) => response.end(JSON.stringify({ success: false, data })))
    const [outcome] = await checked(url, noSuchPath)
    expect(outcome?.state).toBe('failed')
    expect(outcome?.words).not.toContain('\n')
    expect(outcome?.words.length).toBeLessThan(400)
  })

  it('that never comes does not draw out the run', async () => {
    const url = await started(() => {})
    const run = checked(url, noSuchPath, 0.001)
    await expect(run).rejects.toThrow(new Unusable('The run has not ended within 0.001 minutes, and was stopped.'))
  })

  it('that says to come again later does not, either', async () => {
    const url = await started((_request, response) => response.writeHead(429, { 'Retry-After': '100' }).end())
    await expect(checked(url, noSuchPath, 0.001)).rejects.toBeInstanceOf(Unusable)
  })
})
