/** The service as a user meets it, of this checkout or of the installed package: a process, its commands, its doors over HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Result, run } from '../support/cli.ts'
import { launchProcess, type Running, whenReady } from '../support/process.ts'
import { type Visitor, visitorWith } from '../support/visitor.ts'

export interface Site extends Running {
  folder: string
  /** Runs a command of the operator. */
  cli: (...args: string[]) => Promise<Result>
  /** The same with a file, which stands at the end of the words. */
  apply: (words: string[], name: string, content: string | Uint8Array) => ReturnType<Site['cli']>
  /** Asks the API with a new key of that mode. */
  api: (mode: 'live' | 'test') => Promise<Api>
  /** What a phone of the sandbox got. */
  texts: (phone: string) => Promise<string[]>
  /** A new owner of the default account, signed in. */
  owner: () => Promise<Omit<Visitor, 'userId'>>
  close: () => Promise<void>
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what is answered is what the tests look at
  body: any
}

export interface Api {
  key: string
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>
  get: (path: string) => Promise<Answer>
}

export async function openSite(settings: Record<string, string> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-strangers-'))
  const environment = { DATA_DIR: join(folder, 'data'), ...settings }
  const running = await whenReady(launchProcess('serve', environment))
  const cli: Site['cli'] = (...args) => run({ ...environment, DASHBOARD_URL: running.dashboardUrl }, args, folder)
  return {
    ...running,
    folder,
    cli,
    apply: async (words, name, content) => {
      const file = join(folder, name)
      await writeFile(file, content)
      return cli(...words, file)
    },
    api: async (mode) => {
      const { stdout } = await cli('keys', 'create', '--name', `a ${mode} key`, '--mode', mode, '--json')
      return openApi(running.url, (JSON.parse(stdout) as { key: string }).key)
    },
    texts: async (phone) => {
      const response = await fetch(`${running.opsUrl}/sandbox/messages?phone=${encodeURIComponent(phone)}`)
      return ((await response.json()) as { text: string }[]).map(({ text }) => text)
    },
    owner: async () => {
      const { stdout } = await cli('users', 'invite', '--json')
      const token = new URL((JSON.parse(stdout) as { link: string }).link).hash.slice(1)
      const visitor = visitorWith(running, '')
      const person = { name: 'Ada Lovelace', email: `${crypto.randomUUID()}@example.com` }
      const password = 'correct horse battery staple'
      const { status } = await visitor.post('/invitation/claim', { token, ...person, password })
      if (status !== 303) throw new Error(`the invitation was answered ${status}`)
      await visitor.post('/proof', { proof: password, next: '/' })
      return visitor
    },
    close: async () => {
      await running.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function openApi(url: string, key: string): Api {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
    const response = await fetch(url + path, { ...init, headers })
    return { status: response.status, body: await response.json() }
  }
  return {
    key,
    get: (path) => ask(path, {}),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
      }),
  }
}
