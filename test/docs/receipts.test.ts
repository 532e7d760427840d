/** The readers of receipts in `docs/clients.md`, as they stand there, against the service. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { freePort } from '../support/port.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const run = promisify(execFile)
const section = sectionOf('docs/clients.md', 'Receipts')
const shown = 'https://otp.acme.com'
const behindSeconds = 25

let server: TestServer
let folder: string
let phone: string
let receipt: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-receipts-'))
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const port = await freePort()
  server = await startServer({ config: { port, publicUrl: `http://127.0.0.1:${port}` } })
  // A reader goes by its own clock, which is behind: what is signed now is of the future there.
  server.runtime.advance((Date.now() - server.runtime.now().getTime()) / 1000 + behindSeconds)
  phone = newPhone()
  const client = server.live
  const request_id = await client.send(phone)
  await server.work()
  const code = (await server.phone(phone))[0]!.text.slice(-6)
  const wish = { request_id, code, receipt: { audience: 'shop' } }
  receipt = (await client.post<{ receipt: string }>('/v1/verify/check', wish)).data.receipt
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

const here = (text: string) => text.replaceAll(shown, server.directUrl)
/** The same signature under another phone. */
function forged(): string {
  const [head, body, signature] = receipt.split('.')
  const claims = JSON.parse(Buffer.from(body!, 'base64url').toString())
  const other = Buffer.from(JSON.stringify({ ...claims, phone_number: '+14155550199' })).toString('base64url')
  return `${head}.${other}.${signature}`
}

describe('the reader in TypeScript', () => {
  it('believes a receipt of the service though its clock is behind, and no other', async () => {
    const [text] = blocksOf('ts', section)
    await writeFile(join(folder, 'reader.ts'), here(text!))
    const { phoneIn } = (await import(join(folder, 'reader.ts'))) as { phoneIn: (given: string) => Promise<string> }
    expect(await phoneIn(receipt)).toBe(phone)
    await expect(phoneIn(forged())).rejects.toThrow()
  })
})

const python = await pythonWithJwt()
describe(
  python ? 'the reader in Python' : 'the reader in Python (skipped: no python3 with PyJWT and cryptography)',
  () => {
    it.skipIf(!python)('believes a receipt of the service though its clock is behind, and no other', async () => {
      const [text] = blocksOf('python', section)
      await writeFile(join(folder, 'reader.py'), `${here(text!)}\nimport sys\nprint(phone_in(sys.argv[1]))\n`)
      const read = (given: string) => run(python!, [join(folder, 'reader.py'), given])
      expect((await read(receipt)).stdout.trim()).toBe(phone)
      await expect(read(forged())).rejects.toThrow('InvalidSignature')
    })
  },
)

async function pythonWithJwt(): Promise<string | undefined> {
  for (const program of ['python3', '/usr/bin/python3']) {
    const found = await run(program, ['-c', 'import jwt, cryptography']).then(
      () => program,
      () => undefined,
    )
    if (found) return found
  }
  return undefined
}
