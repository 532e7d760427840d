/** Plain Prism, as frontend developers start it by habit: it reads `openapi.yaml` itself, with no code of ours around it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withExclusiveBounds } from '../../scripts/contract/exclusiveBounds.ts'
import { bundle, contractFile, listOperations, type Operation, root } from '../../scripts/contract/redocly.ts'

const origin = 'https://app.example'
const operations = listOperations(await bundle({ dereferenced: true }))
const answers = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content['application/json']!.examples).map(
      ([example, { value }]) => [operation.operationId, status, example, operation, value] as const,
    ),
  ),
)

/** A client's own reading of the contract: fields that it does not know are no fault. */
const ajv = addFormats.default(new Ajv({ strict: false, logger: false }))
ajv.addKeyword({ keyword: 'x-always', validate: (always: boolean, value: unknown) => value === always })

let processes: ChildProcess[]
let [url, madeUpUrl] = ['', '']
beforeAll(async () => {
  processes = [startPrism(contractFile), startPrism('generated/contract.3.1.json', '--dynamic')]
  ;[url, madeUpUrl] = (await Promise.all(processes.map(readAddress))) as [string, string]
})
afterAll(() => {
  for (const prism of processes) prism.kill('SIGKILL')
})

describe('plain Prism, on the form of the contract in OpenAPI 3.1, where constants are constants', () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'makes up other answers of %s each time, and a client takes each',
    async (_id, operation) => {
      const isDescribed = ajv.compile(
        withExclusiveBounds(operation.responses['200']!.content['application/json']!.schema),
      )
      const answers = new Set<string>()
      // A page of up to 100 messages takes Prism seconds, in which it closes what has been idle.
      for (let count = 0; count < 3; count += 1) {
        const text = await (await ask(operation, { Prefer: 'code=200', Connection: 'close' }, madeUpUrl)).text()
        expect(isDescribed(JSON.parse(text)), text).toBe(true)
        answers.add(text)
      }
      expect(answers.size).toBeGreaterThan(1)
    },
  )
})

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

function startPrism(file: string, ...options: string[]): ChildProcess {
  const bin = join(root, 'node_modules/.bin/prism')
  return spawn(process.execPath, [bin, 'mock', file, '--port', '0', ...options], { cwd: root })
}

/** Sends what the contract gives as an example of the request. */
function ask(
  operation: (typeof operations)[number],
  headers: Record<string, string> = {},
  base = url,
): Promise<Response> {
  const body = operation.requestBody && JSON.stringify(firstOf(operation.requestBody))
  return fetch(base + pathOf(operation), {
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

function readAddress({ stdout, stderr }: ChildProcess): Promise<string> {
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
