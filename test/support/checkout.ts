/** A copy of the checkout, to change as somebody would who works on it. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quickFolder } from './memory.ts'

const root = join(import.meta.dirname, '../..')
const parts = [
  ...[
    'src',
    'scripts',
    'generated',
    'test',
    'docs',
    'examples',
    'openapi.yaml',
    'twilio-verify.yaml',
    'stories.arazzo.yaml',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'SECURITY.md',
    '.gitignore',
    '.npmrc',
  ],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'redocly.yaml',
    'biome.json',
    'knip.json',
    'drizzle.config.ts',
  ],
  'vitest.config.ts',
]

export interface Checkout {
  folder: string
  /** What a command there has in its environment. */
  env: NodeJS.ProcessEnv
  /** Runs a command there, with the pinned Node and the packages of the checkout first on its PATH. */
  run: (command: string, settings?: Record<string, string>) => Promise<{ code: number; output: string }>
  read: (path: string) => Promise<string>
  write: (path: string, text: string) => Promise<void>
  /** @throws Error when `before` is not in the file exactly once */
  replace: (path: string, before: string, after: string) => Promise<void>
  /** Into a history of its own. */
  commit: () => Promise<void>
  remove: () => Promise<void>
}

export async function copyCheckout(): Promise<Checkout> {
  // A thousand files take ten times as long on a disk as in memory; its commands unpack whole revisions, too.
  const temporary = await mkdtemp(join(await quickFolder(), 'watchword-checkout-'))
  // PostgreSQL runs as another user where this one is root.
  await chmod(temporary, 0o711)
  const folder = join(temporary, 'checkout')
  await Promise.all(parts.map((part) => cp(join(root, part), join(folder, part), { recursive: true })))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  const write = (path: string, text: string) => writeFile(join(folder, path), text)
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path, TMPDIR: temporary }
  // Those of a run of tests are not for a run within it.
  for (const name of Object.keys(env))
    if (/^(VITEST|TEST|NODE_ENV|DEV|PROD|MODE|SSR|BASE_URL)/.test(name)) Reflect.deleteProperty(env, name)
  const run: Checkout['run'] = (command, settings = {}) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...env, ...settings }, maxBuffer: 16 * 1024 * 1024 }
      execFile('bash', ['-c', command], options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      )
    })
  return {
    folder,
    env,
    run,
    read,
    write,
    replace: async (path, before, after) => {
      const [head, tail, ...more] = (await read(path)).split(before)
      if (tail === undefined || more.length > 0) throw new Error(`${path} does not have exactly once: ${before}`)
      await write(path, head + after + tail)
    },
    commit: async () => {
      const identity = '-c user.name=tester -c user.email=tester@localhost'
      const { code, output } = await run(`git init -q && git add -A && git ${identity} commit -qm change`)
      if (code !== 0) throw new Error(output)
    },
    remove: () => rm(temporary, { recursive: true, force: true }),
  }
}
