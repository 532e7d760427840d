/** The pages of the guide within the dashboard, and what leads there. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { signIn, type Visitor } from '../../support/visitor.ts'

const root = join(import.meta.dirname, '../../..')
const pages = [
  ...globSync('docs/*.md', { cwd: root }).map((path) => basename(path, '.md')),
  ...globSync('docs/auth/*.md', { cwd: root }).map((path) => `auth-${basename(path, '.md')}`),
]
let server: TestServer
let owner: Visitor
beforeAll(async () => {
  server = await startServer({ config: { dashboardPort: 0 } })
  owner = await signIn(server, 'owner')
})
afterAll(() => server.close())

const read = async (page: string) => (await owner.get(`/guide/${page}`)).text

describe.each(pages)('the page %s of the guide', (page) => {
  it('has links that lead somewhere', async () => {
    const text = await read(page)
    expect(text).toContain('<article class="guide">')
    const links = [...text.matchAll(/href="([^"]+)"/g)]
      .map(([, href]) => href!)
      .filter((href) => /^#|^\/guide\//.test(href))
    for (const link of links.filter((one) => one !== '#main')) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? text : await read(path.replace('/guide/', ''))
      expect([link, target.includes('<article class="guide">')]).toEqual([link, true])
      if (anchor !== undefined) expect([link, target.includes(` id="${anchor}"`)]).toEqual([link, true])
    }
  })
})

describe('the guide', () => {
  it('is linked where a page of the dashboard speaks of it', async () => {
    expect((await owner.get('/channels')).text).toContain('<a href="/guide/channels">')
    expect((await owner.get('/webhooks/new')).text).toContain('<a href="/guide/events">')
  })

  it('has a list of all its pages, to which each of them leads', async () => {
    const { status, text } = await owner.get('/guide/')
    expect(status).toBe(200)
    const links = [...text.matchAll(/<li><a href="\/guide\/([^"]+)">/g)].map(([, name]) => name)
    expect(links.toSorted()).toEqual(pages.toSorted())
    for (const page of pages) expect(await read(page)).toContain('<a href="/guide">Guide</a>')
  })

  it('has no page but its own', async () => {
    for (const page of ['none', 'constructor', 'images', 'auth', 'auth-none'])
      expect((await owner.get(`/guide/${page}`)).status).toBe(404)
  })
})

describe('the help for who has no receiver', () => {
  it('names an address without https only where one may be added', async () => {
    const local = 'http://127.0.0.1:9800/'
    expect((await owner.get('/webhooks/new')).text).toContain(local)
    const strict = await startServer({ config: { dashboardPort: 0, production: true }, beside: server })
    const { text } = await (await signIn(strict, 'owner')).get('/webhooks/new')
    expect(text).not.toContain(local)
    expect(text).toContain('It must begin with https://')
    await strict.close()
  })
})
