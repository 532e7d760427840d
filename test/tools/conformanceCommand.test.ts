/** `npm run conformance`, as a build server runs it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatJunit } from '../../scripts/conformance/junit.ts'
import { formatLine } from '../../scripts/conformance/report.ts'
import type { Outcome } from '../../scripts/conformance/run.ts'
import { scopes } from '../../src/contract/document.ts'
import { newKey } from '../../src/domain/access/keyText.ts'
import type { Result } from '../support/cli.ts'
import { type LyingProxy, startLyingProxy } from '../support/lyingProxy.ts'
import { hasNginx, startDocumentedNginx, unlessNginx } from '../support/nginx.ts'
import { ownCa } from '../support/ownCa.ts'
import { freePort } from '../support/port.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let proxy: LyingProxy
let folder: string
beforeAll(async () => {
  server = await startServer()
  proxy = await startLyingProxy(server.url)
  folder = await mkdtemp(join(tmpdir(), 'watchword-conformance-'))
})
afterAll(async () => {
  await proxy.close()
  await server.close()
  await rm(folder, { recursive: true })
})

/** With nothing in its environment but the key. */
function conformance(args: string[], key?: string, more: Record<string, string> = {}): Promise<Result> {
  const script = join(import.meta.dirname, '../../scripts/conformance.ts')
  const env = { PATH: process.env.PATH, ...(key !== undefined && { WATCHWORD_API_KEY: key }) }
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env: { ...env, ...more } }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? error.code : 0, stdout, stderr })
    })
  })
}

const parseXml = (xml: string) => new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml)

describe('npm run conformance', () => {
  it('ends with 0 where all passed, and tells it in text and in JUnit, without the key', async () => {
    const key = await server.key()
    const file = join(folder, 'passed.xml')
    const { exitCode, stdout, stderr } = await conformance([proxy.url, '--only', 'at once', '--junit', file], key)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain('✓ 20 right codes at once verify once')
    const [, passed] = /\n(\d+) passed, 0 failed, 0 not tried, with \d+ requests\n$/.exec(stdout) ?? []
    const xml = await readFile(file, 'utf8')
    expect(parseXml(xml).testsuites).toMatchObject({ tests: passed, failures: '0', skipped: '0' })
    expect(stdout + xml).not.toContain(key)
  })

  it.skipIf(!hasNginx)(`allows the headers that the documented nginx puts into answers${unlessNginx}`, async () => {
    const nginx = await startDocumentedNginx(await freePort(), Number(new URL(server.directUrl).port))
    const authority = join(folder, 'authority.pem')
    await writeFile(authority, ownCa)
    const more = { NODE_EXTRA_CA_CERTS: authority }
    const { stdout } = await conformance([nginx.url, '--only', 'cancelVerification'], await server.key(), more)
    await nginx.close()
    expect(stdout).toContain('every answer')
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, /)
  })

  it('ends with 1 where something failed, and says what', async () => {
    const file = join(folder, 'failed.xml')
    proxy.tell(({ headers }) => headers.set('X-Powered-By', 'Express'))
    const args = [proxy.url, '--only', 'cancelVerification', '--junit', file]
    const { exitCode, stdout } = await conformance([...args, '--key', await server.key()])
    proxy.tell(() => {})
    expect(exitCode).toBe(1)
    expect(stdout).toContain('the header x-powered-by is not documented')
    const { testsuite } = parseXml(await readFile(file, 'utf8')).testsuites
    const last = testsuite.at(-1)
    expect([last.name, last.failures]).toEqual(['every answer', '1'])
    expect(JSON.stringify(last)).toContain('the header x-powered-by is not documented')
  })

  it('shows neither the key nor what would give orders to a terminal, wherever they are hidden', async () => {
    const key = await server.key()
    proxy.tell(({ path, body }) => {
      if (path === '/v1/no-such-path') body.data.code = `k_${key}_\u001b[2J\u009b\u202e\n  ✓ all\u0007${key.slice(8)}`
    })
    const { exitCode, stdout } = await conformance([proxy.url, '--only', 'route_not_found'], key)
    proxy.tell(() => {})
    expect(exitCode).toBe(1)
    expect(stdout).toContain('k_ww_test_…')
    expect(stdout).not.toContain(key.slice(8))
    expect(stdout).not.toMatch(/[^\P{C}\n]/u)
    expect(stdout).not.toContain('\n  ✓ all')
  })

  it('leaves a report of a run of which nothing came, and it says so', async () => {
    const [file, key] = [join(folder, 'none.xml'), newKey('test')]
    const { exitCode } = await conformance([proxy.url, '--junit', file], key)
    const { testsuites } = parseXml(await readFile(file, 'utf8'))
    expect([exitCode, testsuites.tests, testsuites.errors]).toEqual([2, '1', '1'])
    expect(testsuites.testsuite.testcase.error.message).toContain('does not know the key')
  })

  it.each([
    ['--key', (key: string) => conformance([proxy.url, '--key', key])],
    ['--scoped-key', async (key: string) => conformance([proxy.url, '--scoped-key', key], await server.key())],
    ['the environment', (key: string) => conformance([proxy.url], key)],
  ])('refuses a live key before it sends anything, and says why (%s)', async (_way, start) => {
    const before = proxy.count()
    const key = newKey('live')
    const { exitCode, stdout, stderr } = await start(key)
    expect([exitCode, stdout, proxy.count()]).toEqual([2, '', before])
    expect(stderr).toContain('with a live key they go to the phones of strangers')
    expect(stderr).not.toContain(key)
  })

  it.each([
    ['no key', async () => conformance([proxy.url]), 'Set WATCHWORD_API_KEY'],
    ['no address', async () => conformance([], await server.key()), 'Give an address, or --package.'],
    ['no URL', async () => conformance(['localhost'], await server.key()), 'a URL with http:// or https://'],
    ['a wrong option', async () => conformance([proxy.url, '--all'], await server.key()), "unknown option '--all'"],
    ['one with orders', async () => conformance(['--\u001b[2J'], await server.key()), "option '--\\u001b[2J'"],
    ['a wrong time', async () => conformance([proxy.url, '--timeout', '0'], await server.key()), 'from 1 to 3600'],
    ['no such check', async () => conformance([proxy.url, '--only', 'x-x'], await server.key()), 'No check has "x-x"'],
    ['an unknown key', async () => conformance([proxy.url], newKey('test')), 'does not know the key'],
    [
      'a key that lacks a scope',
      async () => conformance([proxy.url], await server.key({ scopes: scopes.slice(1) })),
      `The key lacks the scope ${scopes[0]}`,
    ],
    [
      'nobody there',
      async () => conformance([`http://127.0.0.1:${await freePort()}`], newKey('test')),
      'cannot be reached: no answer: ECONNREFUSED. Start it, or correct the address. On this machine, "npm start"',
    ],
    [
      'another service',
      async () => conformance([server.opsUrl], newKey('test')),
      'Nothing at this address answers as Watchword: 404',
    ],
    [
      'a report that cannot be written',
      async () => conformance([proxy.url, '--junit', join(folder, 'none/there.xml')], await server.key()),
      'The report cannot be written: ENOENT',
    ],
  ])('ends with 2 and one sentence: %s', async (_what, start, sentence) => {
    const { exitCode, stderr } = await start()
    expect(exitCode).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })

  it('explains itself', async () => {
    const { exitCode, stdout } = await conformance(['--help'])
    expect(exitCode).toBe(0)
    for (const word of ['--scoped-key', '--junit', '--only', '--timeout', '--long', 'Examples:', 'WATCHWORD_API_KEY'])
      expect(stdout).toContain(word)
  })
})

describe('a report', () => {
  const hostile: Outcome = {
    suite: 'a <suite> & "more"',
    title: "one\u0000 \u001b[31m]]> \ud800 'quoted'",
    state: 'failed',
    words: `</failure><!-- ${newKey('test')} ${newKey('live')} +14155552671\nsecond line`,
    seconds: 1.5,
  }

  it('is XML whatever a deployment answers', () => {
    const { testsuites } = parseXml(
      formatJunit('https://x.example/?a=1&b', [hostile, { ...hostile, state: 'not tried' }], []),
    )
    expect(testsuites).toMatchObject({ tests: '2', failures: '1', skipped: '1', time: '3.000' })
    const [failed, skipped] = testsuites.testsuite.testcase
    expect(failed.classname).toBe('a <suite> & "more"')
    expect(failed.name).toBe("one\ufffd \ufffd[31m]]> \ufffd 'quoted'")
    expect(failed.failure['#text']).toBe('</failure><!-- ww_test_… ww_live_… +…\nsecond line')
    expect(skipped.skipped.message).toBe('</failure><!-- ww_test_… ww_live_… +…')
  })

  it('shows no key and no phone, whatever stands around them', () => {
    const key = newKey('test')
    const words = `k_${key}_, x${key.slice('ww_test_'.length)}x, a_${newKey('live')}, x+14155552671x`
    expect(formatLine({ ...hostile, words }, [key])).toContain('k_ww_test_…, x…x, a_ww_live_…, x+…x')
  })

  it('shows no key and no phone in its text either', () => {
    expect(formatLine(hostile, [])).toContain('ww_test_… ww_live_… +…')
    expect(formatLine({ ...hostile, state: 'not tried' }, [])).toContain('ww_test_… ww_live_… +…')
  })
})
