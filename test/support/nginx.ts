/** nginx in front of a service, where one is installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocksOf, pageOf } from './docs.ts'
import { installed } from './installed.ts'
import { certificate } from './ownCa.ts'

const program = installed('nginx')

export const hasNginx = program !== undefined
/** What a title says where there is none. */
export const unlessNginx = hasNginx ? '' : ' (skipped: no nginx on the PATH)'

export interface Nginx {
  url: string
  close: () => Promise<void>
}

/** @param locations what stands in its `server` block */
export function startNginx(port: number, locations: string): Promise<Nginx> {
  const server = `server { listen 127.0.0.1:${port}; proxy_set_header Host $http_host; ${locations} }`
  return start(port, async () => `access_log off; ${server}`)
}

/**
 * As `docs/security.md` has it for a proxy with TLS, but for ports and paths, which are those of this test.
 *
 * @param port of localhost, where it answers with TLS
 * @param target the port of the service
 */
export async function startDocumentedNginx(
  port: number,
  target: number,
): Promise<Nginx & { log: () => Promise<string> }> {
  const [page = ''] = blocksOf('', pageOf('docs/security.md')).filter((block) => block.includes('ssl_certificate'))
  let logFile = ''
  const nginx = await start(port, async (folder) => {
    logFile = join(folder, 'access.log')
    const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    await Promise.all([writeFile(certificateFile, certificate.cert), writeFile(keyFile, certificate.key)])
    const own = [
      ['127.0.0.1:3000', `127.0.0.1:${target}`],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/api.example.com.pem', certificateFile],
      ['/etc/ssl/api.example.com.key', keyFile],
      ['/var/log/nginx/watchword.log', logFile],
    ] as const
    return own.reduce((text, [documented, here]) => {
      if (!text.includes(documented)) throw new Error(`docs/security.md has no ${documented}`)
      return text.replace(documented, here)
    }, page)
  })
  return { ...nginx, url: `https://localhost:${port}`, log: () => readFile(logFile, 'utf8') }
}

/** @param http makes what stands in its `http` block, which may lead to files of this folder */
async function start(port: number, http: (folder: string) => Promise<string>): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const text = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors; events {}
http { ${temporary}
${await http(folder)} }`
  await writeFile(join(folder, 'nginx.conf'), text)
  const child = spawn(program!, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')])
  const ended = once(child, 'close')
  while (child.exitCode === null && !(await isListening(port))) await new Promise(setImmediate)
  if (child.exitCode !== null) throw new Error(`nginx ended: ${await readFile(join(folder, 'errors'), 'utf8')}`)
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
