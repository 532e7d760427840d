/** Plain Prism, as frontend developers start it by habit: it reads `openapi.yaml` itself, with no code of ours around it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, contractFile, type Operation, operationsOf, root } from '../../scripts/contract/redocly.ts'

const origin = 'https://app.example'
const operations = operationsOf(await bundle({ dereferenced: true }))
const answers = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content['application/json']!.examples).map(
      ([example, { value }]) => [operation.operationId, status, example, operation, value] as const,
    ),
  ),
)

let prism: ChildProcess
let url: string
beforeAll(async () => {
  const bin = join(root, 'node_modules/.bin/prism')
  prism = spawn(process.execPath, [bin, 'mock', contractFile, '--port', '0'], { cwd: root })
  url = await addressOf(prism)
})
afterAll(() => prism.kill('SIGKILL'))

describe('plain Prism, on openapi.yaml as it lies here', () => {
  it.each(answers)('has the answer %s %s %s', async (_id, status, example, operation, value) => {
    const response = await ask(operation, { Prefer: `code=${status}, example=${example}` })
    expect([response.status, await response.json()]).toEqual([Number(status), value])
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'lets a page of any origin call %s, and answers the first example of success by default',
    async (_id, operation) => {
      const preflight = await fetch(url + pathOf(operation), {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': operation.method.toUpperCase() },
      })
      expect(preflight.ok).toBe(true)
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
      expect(preflight.headers.get('access-control-allow-methods')).toContain(operation.method.toUpperCase())

      const response = await ask(operation)
      expect([response.status, await response.json()]).toEqual([200, firstOf(operation.responses['200']!)])
    },
  )
})

/** Sends what the contract gives as an example of the request. */
function ask(operation: (typeof operations)[number], headers: Record<string, string> = {}): Promise<Response> {
  const body = operation.requestBody && JSON.stringify(firstOf(operation.requestBody))
  return fetch(url + pathOf(operation), {
    method: operation.method.toUpperCase(),
    headers: {
      Origin: origin,
      Authorization: 'Bearer any',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body ?? null,
  })
}

function pathOf({ path, parameters = [] }: (typeof operations)[number]): string {
  return parameters.reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path)
}

function firstOf({ content }: NonNullable<Operation['requestBody']>): unknown {
  return Object.values(content['application/json']!.examples)[0]!.value
}

function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      output += text
      const [, address] = /Prism is listening on (http:\S+)/.exec(output) ?? []
      if (address) resolve(address)
    }
    stdout!.setEncoding('utf8').on('data', read)
    stderr!.setEncoding('utf8').on('data', read)
    stdout!.once('close', () => reject(new Error(output)))
  })
}
