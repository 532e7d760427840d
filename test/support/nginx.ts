/** nginx in front of a service, where one is installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed } from './installed.ts'

const program = installed('nginx')

export const hasNginx = program !== undefined
/** What a title says where there is none. */
export const unlessNginx = hasNginx ? '' : ' (skipped: no nginx on the PATH)'

export interface Nginx {
  url: string
  close: () => Promise<void>
}

/** @param locations what stands in its `server` block */
export async function startNginx(port: number, locations: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const text = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors; events {}
http { access_log off; ${temporary}
  server { listen 127.0.0.1:${port}; proxy_set_header Host $http_host; ${locations} } }`
  await writeFile(join(folder, 'nginx.conf'), text)
  const child = spawn(program!, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')])
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  while (child.exitCode === null && !(await fetch(url).then(...answers))) await new Promise(setImmediate)
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
  return {
    url,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

const answers = [() => true, () => false] as const
