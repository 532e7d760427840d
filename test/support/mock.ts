/** The mock, as `npm run mock` starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Mock {
  url: string
  stop: () => void
}

/**
 * @param folder of the checkout that it is to read
 * @param options of its command line
 */
export async function startMock(folder = join(import.meta.dirname, '../..'), options: string[] = []): Promise<Mock> {
  const child = spawn(process.execPath, ['scripts/mock.ts', '--port', '0', ...options], { cwd: folder })
  let [output, errors] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, found] = /listens on (http:\S+)\n/.exec(output) ?? []
      if (found) resolve(found)
    })
    once(child, 'close').then(() => reject(new Error(errors)))
  })
  return { url, stop: () => child.kill('SIGKILL') }
}
