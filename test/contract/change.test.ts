/** An API designer changes the contract: what follows from it, in a copy of the checkout. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'watchword-change-'))
  const parts = ['openapi.yaml', 'redocly.yaml', 'package.json', 'tsconfig.json', 'src', 'scripts', 'generated']
  await Promise.all(parts.map((part) => cp(join(root, part), join(copy, part), { recursive: true })))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

function run(...command: [string, ...string[]]): Promise<{ code: number; output: string }> {
  const [file, ...options] = command
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...options], { cwd: copy }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
  })
}

const fifthOperation = `
  /v1/scratch:
    post:
      operationId: scratchOperation
      tags:
        - Verification
      summary: Cancel a verification
      description: Ends a pending verification.
      x-required-scope: verify:write
      responses:
        '200':
          description: It is over.
          content:
            application/json:
              schema:
                type: object
                required: [success, data]
                properties:
                  success:
                    type: boolean
                    enum: [true]
                  data:
                    type: object
                    properties:
                      cancelled:
                        type: boolean
              examples:
                cancelled:
                  value:
                    success: true
                    data:
                      cancelled: true
`

describe('an operation that is added to openapi.yaml', () => {
  it('makes the committed generated files stale, which the check says', async () => {
    const contract = join(copy, 'openapi.yaml')
    expect((await run('scripts/generate.ts', '--check')).code).toBe(0)
    await writeFile(contract, (await readFile(contract, 'utf8')).replace(/^paths:\n/m, `paths:${fifthOperation}`))
    const { code, output } = await run('scripts/generate.ts', '--check')
    expect(code).toBe(1)
    expect(output).toContain('generated/types.ts')
    expect(output).toContain('npm run generate')
  })

  it('has its missing handler named by the compiler', async () => {
    expect(await run('scripts/generate.ts')).toEqual({ code: 0, output: '' })
    const { code, output } = await run(bin('tsc'), '-p', '.')
    expect(code).not.toBe(0)
    expect(output).toMatch(/src\/operations\/index\.ts.*scratchOperation/s)
  })

  it('is served by the mock at once', async () => {
    const mock = spawn(process.execPath, [bin('prism'), 'mock', 'openapi.yaml', '--port', '0'], { cwd: copy })
    try {
      const response = await fetch(`${await listening(mock)}/v1/scratch`, {
        method: 'POST',
        headers: { Authorization: 'Bearer any' },
      })
      expect(await response.json()).toEqual({ success: true, data: { cancelled: true } })
    } finally {
      mock.kill('SIGKILL')
    }
  })
})

function listening(mock: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    mock.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      const [url] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(output.slice(output.indexOf('listening'))) ?? []
      if (url && output.includes('listening')) resolve(url)
    })
    mock.once('exit', () => reject(new Error(output)))
  })
}
