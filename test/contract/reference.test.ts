/** The reference as it is served: everything that the contract has, and nothing that leads nowhere. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract, extraScopes, scopes } from '../../src/contract/document.ts'
import { eventTypes } from '../../src/contract/event.ts'
import {
  documentedOperations,
  findExamples,
  type Operation,
  parametersOf,
  responsesOf,
  told,
} from '../../src/http/api/reference/document.ts'
import { createText } from '../../src/http/api/reference/text.ts'
import type { Client } from '../support/client.ts'
import { htmlFaults } from '../support/goodPage.ts'
import { installed } from '../support/installed.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { document as written } from '../support/stories.ts'

const { ErrorCode: errors } = contract.components.schemas
const sandboxKey = 'ww_test_ForTheReferenceAlone'

let server: TestServer
let sandbox: TestServer
let [home, errorPage, tryable] = ['', '', '']
beforeAll(async () => {
  server = await startServer({ config: { production: true } })
  sandbox = await startServer({ config: { sandboxKey }, beside: server })
  const read = async (url: string) => (await fetch(url)).text()
  home = await read(`${server.url}/docs`)
  errorPage = await read(`${server.url}/docs/errors`)
  tryable = await read(`${sandbox.url}/docs`)
})
afterAll(async () => {
  await sandbox?.close()
  await server?.close()
})

/** What a part of a page says, without the colours of its words. */
function readable(html: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (_whole, hex, digits, name) =>
      name ? named[name]! : String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
    )
}

/** The part of a page that an anchor leads to. */
function findSection(page: string, id: string): string {
  const section = page.split(/(?=<section )/).find((part) => part.includes(` id="${id}"`))
  if (section === undefined) throw new Error(`there is no section ${id}`)
  return section
}

const bodiesOf = (operation: Operation) => findExamples(operation.requestBody?.content)

/** Each named body; where there is none, a request with what is required, and one with all that may be left out. */
const requests = documentedOperations
  .map((route) => {
    const mayBeLeftOut = parametersOf(route).some((parameter) => parameter.in === 'query' && !parameter.required)
    return bodiesOf(route).length || (mayBeLeftOut ? 2 : 1)
  })
  .reduce((sum, count) => sum + count)

describe('the reference', () => {
  it.each([
    ...documentedOperations.map((route) => [route.operationId, route] as const),
    ...told.map((event) => [event.type, event] as const),
  ])('has %s with its summary and all of its examples', (id, operation: Operation) => {
    const section = readable(findSection(home, id))
    expect(section).toContain(operation.summary)
    for (const [name, { summary = '' }] of bodiesOf(operation)) expect(section).toContain(`${summary} ${name}`)
    const answers = responsesOf(operation).flatMap(([, { content }]) => findExamples(content))
    for (const [name, { summary = '' }] of answers) expect(section).toContain(`${name} ${summary}`)
    const shown = id === operation.operationId ? answers : bodiesOf(operation)
    expect(shown.length).toBeGreaterThan(0)
    for (const [, { value }] of shown) expect(section).toContain(JSON.stringify(value, undefined, 2))
  })

  it.each(written.workflows)('has the story $workflowId as a sequence: who asks what, with a link to each', (story) => {
    const section = findSection(home, `story-${story.workflowId}`)
    const steps = section.split('<li>').slice(1)
    expect(readable(section)).toContain(story.summary)
    expect(steps).toHaveLength(story.steps.length)
    for (const [index, { description, operationId }] of story.steps.entries()) {
      const { method, path } = documentedOperations.find((route) => route.operationId === operationId)!
      expect(steps[index]).toContain(`<a href="#${operationId}">`)
      expect(readable(steps[index]!)).toContain(description.replaceAll('`', ''))
      expect(readable(steps[index]!)).toContain(`Your program → Watchword: ${operationId} (${method} ${path}) with `)
      expect(readable(steps[index]!)).toMatch(/Watchword → your program: \d{3}, \w/)
    }
    expect(home.slice(0, home.indexOf('</nav>'))).toContain(`href="#story-${story.workflowId}"`)
  })

  it('says of a step what an earlier one has answered, and of a refusal its code', () => {
    expect(readable(findSection(home, 'story-verify'))).toContain(
      'with request_id as request_id of step 1, code 000000.',
    )
    expect(readable(findSection(home, 'story-optOut'))).toContain('Watchword → your program: 403, code opted_out.')
  })

  it('has every operation and every event in its menu', () => {
    const menu = home.slice(home.indexOf('<nav'), home.indexOf('</nav>'))
    for (const { operationId } of documentedOperations) expect(menu).toContain(`href="#${operationId}"`)
    for (const type of eventTypes) expect(menu).toContain(`href="#${type}"`)
    expect(menu).toContain('href="docs/errors"')
  })

  it('leads nowhere that there is nothing', async () => {
    const pages = { '/docs': home, '/docs/errors': errorPage }
    for (const [path, page] of Object.entries(pages)) {
      const links = new Set(Array.from(page.matchAll(/ (?:href|src)="([^"]*)"/g), ([, link]) => readable(link!)))
      const own = [...links]
        .map((link) => new URL(link, server.url + path))
        .filter(({ origin }) => origin === server.url)
      for (const url of own) {
        const response = await fetch(url)
        expect([url.href, response.status]).toEqual([url.href, 200])
        const target = await response.text()
        if (url.hash) expect(target).toContain(` id="${url.hash.slice(1)}"`)
      }
    }
  })

  it('is good HTML, in a sandbox too', async () => {
    for (const page of [home, errorPage, tryable]) expect(await htmlFaults(page)).toEqual([])
  })

  it('takes nothing in the contract for HTML', () => {
    const links = { home: '', errors: '', files: '' }
    const { block, line } = createText(links, { home: [], errors: [] })
    const hostile = 'a <img src=x onerror=alert(1)> `<b>`\n\n<script>alert(1)</script>'
    for (const { text } of [block(hostile), line(hostile)]) expect(text).not.toMatch(/<(img|b|script)\b/)
  })
})

describe('the page of the errors', () => {
  it.each(Object.entries(errors['x-statuses']))(
    'has %s with its status %i, what it means, and who answers it',
    (code, expected) => {
      const section = findSection(errorPage, code)
      const answering = documentedOperations.filter((route) =>
        // A preview that was made tells codes, too, of what a send would answer.
        responsesOf(route).some(
          ([status, { content }]) =>
            Number(status) >= 400 && JSON.stringify(findExamples(content)).includes(`"code":"${code}"`),
        ),
      )
      expect(readable(section)).toContain(`${code} ${expected}`)
      // In the words of the contract, of which the first line has to do.
      const [, said] = errors.description.split(`* \`${code}\`: `)
      expect(readable(section)).toContain(said!.split('\n')[0]!.replaceAll('`', ''))
      for (const { operationId } of documentedOperations) {
        const isSaid = section.includes(`href="../docs#${operationId}"`)
        expect([operationId, isSaid]).toEqual([
          operationId,
          answering.some((route) => route.operationId === operationId),
        ])
      }
    },
  )
})

/** @returns the id of a notification */
async function notify(client: Client): Promise<string> {
  const body = { phone: '+14155550100', template: 'welcome', variables: { name: 'Ada' } }
  return (await client.post<{ request_id: string }>('/v1/notifications/send', body)).data.request_id
}

describe('requests in the reference', () => {
  const python = installed('python3')
  const curl = installed('curl')
  const languages = [
    { name: 'curl', needs: curl, command: ['bash', 'request.sh'] },
    { name: 'TypeScript', needs: process.execPath, command: [process.execPath, 'request.ts'] },
    { name: 'Python', needs: python, command: [python ?? '', 'request.py'] },
  ]
  /** Every request in that language, in the order of the page. */
  const samplesIn = (language: string) =>
    Array.from(home.matchAll(/<div class="sample" data-language="(\w+)">.*?<code>(.*?)<\/code>/gs))
      .filter(([, name]) => name === language)
      .map(([, , code]) => readable(code!))

  it.each(languages)('are there in $name for every named example', ({ name }) => {
    expect(samplesIn(name)).toHaveLength(requests)
  })

  it.each(['TypeScript', 'Python'])(
    'have a time-out in %s, and a key where a repeat could do the work twice',
    (name) => {
      const found = samplesIn(name)
      expect(found.filter((sample) => /timeout/.test(sample))).toHaveLength(requests)
      const keyed = found.filter((sample) => sample.includes('Idempotency-Key'))
      expect(keyed).toEqual(found.filter((sample) => /POST/.test(sample)))
      expect(keyed.length).toBeGreaterThan(0)
    },
  )

  it.each(languages)(
    'run in $name as they stand, with a key from the environment that has every scope',
    async ({ name, needs, command: [program, file] }) => {
      if (!needs) return
      const folder = await mkdtemp(join(tmpdir(), 'watchword-samples-'))
      const WATCHWORD_API_KEY = await server.key({ scopes: [...scopes, ...extraScopes] })
      for (const sample of samplesIn(name)) {
        // The one thing that a reader has to put in: the message that a send before has answered.
        const client = server.as(WATCHWORD_API_KEY)
        const sent = sample.includes('/v1/notifications/cancel')
          ? await notify(client)
          : await client.send('+14155550100', { code: '482913' })
        await writeFile(join(folder, file!), sample.replaceAll(/req_\w{26}/g, sent))
        const child = spawn(program!, [file!], { cwd: folder, env: { ...process.env, WATCHWORD_API_KEY } })
        const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
        expect(output, sample + complaints).toMatch(/["']?success["']?: ?[tT]rue/)
      }
      await rm(folder, { recursive: true })
    },
  )
})

describe('trying requests', () => {
  it('is offered in a sandbox, with its key, for every request', () => {
    const forms = tryable.match(/<form /g) ?? []
    expect(forms).toHaveLength(requests)
    expect(tryable.split(`value="${sandboxKey}"`)).toHaveLength(forms.length + 1)
  })

  it('is nowhere else: there is no form, and no place for a key', () => {
    for (const page of [home, errorPage]) {
      expect(page).not.toMatch(/<form|<textarea|name="key"|ww_test_\w{8}/)
    }
  })
})
