/** The check of a deployment from outside, against one that wants to harm whoever runs it. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startDeadline, waitWithin } from '../../scripts/conformance/deadline.ts'
import { createDeployment } from '../../scripts/conformance/deployment.ts'
import { Unusable } from '../../scripts/conformance/finding.ts'
import { refersElsewhere, unfolded } from '../../scripts/conformance/references.ts'
import { type Outcome, runChecks } from '../../scripts/conformance/run.ts'
import { contract } from '../../src/contract/document.ts'
import { newKey } from '../../src/domain/access/keyText.ts'

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

describe('a contract that refers to other documents', () => {
  it('is a fault, however the reference is spelt, and nobody is asked for them', async () => {
    const asked: (string | undefined)[] = []
    const url = await started((request, response) => {
      asked.push(request.url)
      const found = { $ref: `http://${request.headers.host}/elsewhere` }
      const text = JSON.stringify({ ...contract, 'x-found': found })
      response.setHeader('Content-Type', 'application/json').end(text.replaceAll('"$ref"', '"\\u0024ref"'))
    })
    const [outcome] = await checked(url, theContract)
    expect(outcome).toMatchObject({ state: 'failed', words: '/openapi.json refers to other documents' })
    expect(asked).toEqual(['/openapi.json'])
  })

  it.each([
    ['a file', { $ref: '/etc/passwd' }],
    ['a file, behind a #', { $ref: '#x/../../../../etc/passwd' }],
    ['no text', { $ref: { a: 1 } }],
    ['an example', { examples: [{ externalValue: 'http://169.254.169.254/' }] }],
    ['a link', { links: { a: { operationRef: 'https://x.example/#/paths/a' } } }],
    ['a discriminator', { discriminator: { mapping: { a: 'http://x.example/a' } } }],
    ['a discriminator, to a file', { discriminator: { mapping: { a: 'a/b.json' } } }],
    ['a discriminator, by another name', { discriminator: { mapping: { $ref: '#/x-mapping' } } }],
    ['__proto__', JSON.parse('{ "__proto__": { "$ref": "a.json" } }')],
  ])('is found: %s', (_what, part) => {
    expect(refersElsewhere({ ...contract, 'x-deep': [{ part }] })).toBe(true)
  })

  it('is not one that refers to itself', () => {
    const discriminator = { propertyName: 'kind', mapping: { a: '#/components/schemas/A', b: 'B' } }
    const refs = ['#', '#/components/schemas/A', '#anchor'].map(($ref) => ({ $ref }))
    expect(refersElsewhere({ ...contract, 'x-deep': [discriminator, refs] })).toBe(false)
  })
})

describe('a contract with other facts of this API', () => {
  it('is a fault, and is said to be', async () => {
    const text = JSON.stringify({ ...contract, 'x-max-body-bytes': 64 })
    const [outcome] = await checked(await started((_request, response) => response.end(text)), theContract)
    expect(outcome?.state).toBe('failed')
    expect(outcome?.words).toContain('bodies of more than 64 bytes are refused; x-max-body-bytes was 16384')
  })

  it.each([
    ['has an event that is none', { 'x-webhooks': { 'message.sent': { post: { parameters: 7 } } } }],
    ['has no schemas', { components: {} }],
  ])('is a fault where it %s', async (_what, part) => {
    const url = await started((_request, response) => response.end(JSON.stringify({ ...contract, ...part })))
    const [outcome] = await checked(url, theContract)
    expect(outcome?.state).toBe('failed')
    expect(outcome?.words).toMatch(/^\/openapi\.json (cannot be compared|is \S+ and breaks)/)
  })

  it('is not made larger by references that name each other, or lead in circles', () => {
    const twice = (name: string) => [{ $ref: `#/x/${name}` }, { $ref: `#/x/${name}` }]
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`)
    const x = Object.fromEntries(names.map((name, index) => [name, index === 0 ? [] : twice(`n${index - 1}`)]))
    const found = unfolded({ x, y: { $ref: '#/x/n59' }, z: { $ref: '#/z' } })
    expect(found.y).toBe(found.x.n59)
    expect(found.z).toEqual({ $ref: '#/z' })
  })
})

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
    await expect.poll(() => ended.mock.calls).not.toEqual([])
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

  it('with a code that cannot be made a text breaks no check', async () => {
    const data = { code: { toString: 1, valueOf: 1 } }
    const url = await started((_request, response) => response.end(JSON.stringify({ success: false, data })))
    const [outcome] = await checked(url, noSuchPath)
    expect(outcome?.words).toMatch(/^status and code: /)
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
