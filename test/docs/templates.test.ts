/** The loop of `docs/clients.md` that puts the templates of a repository, run by a shell as it stands there. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extraScopes } from '../../src/contract/document.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { startServer, type TestServer } from '../support/server.ts'

const [, section = ''] = sectionOf('docs/clients.md', 'Notifications').split('\n### Templates\n')
const [loop] = blocksOf('bash', section)
const [template] = blocksOf('json', section)

let folder: string
let server: TestServer
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-templates-'))
  await mkdir(join(folder, 'templates'))
  server = await startServer()
  key = await server.key({ scopes: [...extraScopes] })
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

const write = (slug: string, text: string) => writeFile(join(folder, 'templates', `${slug}.json`), text)

const run = () =>
  promisify(execFile)('bash', ['-c', loop!], {
    cwd: folder,
    env: { ...process.env, WATCHWORD_URL: server.url, WATCHWORD_API_KEY: key },
  })

describe('the loop of the page', () => {
  it('puts each template of the folder, and makes no version of what is so already', async () => {
    await write('order-ready', template!)
    await write('order-sent', template!)
    expect((await run()).stdout.match(/"created"/g)).toHaveLength(2)
    expect((await run()).stdout.match(/"unchanged"/g)).toHaveLength(2)
  })

  it('ends at the first template that is wrong, and prints what is wrong with it', async () => {
    await write('order-ready', template!.replaceAll('{{order}}', '{{'))
    const failed = await run().catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('"/locales/en/text"') })
  })
})
