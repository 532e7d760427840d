/** A code over the real Kannel, as Debian has it, to its fake SMSC and back. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../support/cli.ts'
import { type Client, createClient } from '../support/client.ts'
import { codeOn } from '../support/code.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type Kannel, missing, startKannel } from '../support/kannel.ts'
import { freePort } from '../support/port.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { newPhone } from '../support/server.ts'

describe.skipIf(missing)(`with Kannel${missing ? ` (skipped: there is no ${missing})` : ''}`, () => {
  let kannel: Kannel
  let database: TestDatabase
  let folder: string
  let settings: Record<string, string>
  let service: Running
  let live: Client
  beforeAll(async () => {
    ;[kannel, database] = [await startKannel(), await createDatabase()]
    folder = await mkdtemp(join(tmpdir(), 'watchword-kannel-'))
    const port = String(await freePort())
    settings = {
      DATABASE_URL: database.settings.url,
      WATCHWORD_SECRET: 'a secret of the Kannel test that is long enough',
      DATA_DIR: folder,
      DEV_KEYS: 'on',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    }
    await apply({})
    service = await whenReady(launchProcess('serve', settings))
    live = createClient(service.url, (await readFile(join(folder, 'live-key'), 'utf8')).trim())
  })
  afterAll(async () => {
    await service?.end('SIGKILL')
    await kannel?.close()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function apply(changes: object): Promise<void> {
    const { url: base_url, username, password } = kannel
    const entry = { id: 'sms', kind: 'sms', provider: 'kannel', base_url, username, password, from: 'Acme', ...changes }
    const list = join(folder, 'channels.yaml')
    await writeFile(list, JSON.stringify([entry]))
    expect(await run(settings, ['channels', 'apply', list])).toMatchObject({ exitCode: 0, stderr: '' })
  }

  /** What the SMSC got for a phone, once it is there. */
  async function textFor(phone: string): Promise<string> {
    const texts = () => kannel.messages().filter((text) => text.startsWith(`Acme ${phone} `))
    await expect.poll(texts).toHaveLength(1)
    return texts()[0] ?? ''
  }

  async function taken(id: string): Promise<void> {
    const notes = () => database.sql`select timeline -> 1 ->> 'note' as note from message where id = ${id}`
    await expect.poll(notes).toEqual([{ note: 'taken by sms' }])
  }

  it('a code that waits in Kannel for its SMSC is sent, and delivered when that comes', async () => {
    const phone = newPhone()
    const id = await live.send(phone, { brand_name: 'Acme' })
    await taken(id)
    expect(await live.status(id)).toBe('sent')
    kannel.connect()
    await expect.poll(() => live.status(id)).toBe('delivered')
    expect(await textFor(phone)).toMatch(/^Acme \S+ text (?=.*\bAcme\b.*)(?=.*\b\d{6}\b)/)
  })

  it('a code reaches the phone as it was sent, is right, and its report makes it delivered', async () => {
    const phone = newPhone()
    const id = await live.send(phone)
    const text = await textFor(phone)
    expect(await live.check(id, codeOn(text.slice(`Acme ${phone}`.length)))).toMatchObject({ verified: true })
    await expect.poll(() => live.status(id)).toBe('delivered')
  })

  it('a code in Russian reaches the phone letter by letter', async () => {
    const phone = newPhone()
    const id = await live.send(phone, { locale: 'ru', brand_name: 'Acme' })
    const [, , kind, text = ''] = (await textFor(phone)).split(' ')
    expect([kind, decoded(text)]).toEqual(['ucs-2', expect.stringMatching(/\d{6}.*[а-я]{4}/)])
    await expect.poll(() => live.status(id)).toBe('delivered')
  })

  it('a report that comes while the service is away is told again when it is back', async () => {
    await kannel.disconnect()
    const phone = newPhone()
    const id = await live.send(phone)
    await taken(id)
    await service.end('SIGKILL')
    kannel.connect()
    await textFor(phone)
    // smsbox has tried, and tries again.
    await expect.poll(kannel.output).toMatch(new RegExp(`Retrying request <\\S+${id}`))
    service = await whenReady(launchProcess('serve', settings))
    await expect.poll(() => live.status(id)).toBe('delivered')
  })

  it('a gateway that refuses the password is down, and its operator is told why', async () => {
    await service.end('SIGTERM')
    await apply({ password: 'another-secret' })
    service = await whenReady(launchProcess('serve', settings))
    const id = await live.send(newPhone())
    await expect.poll(() => live.status(id)).toBe('failed')
    const list = async () => (await run(settings, ['channels', 'list'])).stdout
    await expect.poll(list).toMatch(/^sms .*403/m)
  })
})

/** What the fake SMSC prints of a text in UCS-2: its bytes, percent-encoded where they are no letters. */
function decoded(printed: string): string {
  const bytes = printed
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(bytes, 'latin1').swap16().toString('utf16le')
}
