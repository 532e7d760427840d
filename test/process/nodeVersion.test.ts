/** A start on a Node that is too old: of the system, where `npm ci` was told to leave out what brings the right one. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const start = (node: string, args: string[]) =>
  new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(node, args, { cwd: root, env: { OPS_PORT: '0' } }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    )
  })

const said = (version: string) =>
  new RegExp(`^Watchword needs Node 24\\.7 or newer, and this is Node ${version} \\(.+\\)\\. [^\n]+\\n$`)

it('the least version is the one that the package names', () => {
  expect(manifest.engines.node).toBe('>=24.7')
})

it.each([
  ['npm start', 'start'],
  ['npm run worker', 'worker'],
  ['npm run sandbox', 'sandbox'],
  ['npm run simulate', 'simulate'],
  ['npm run cli', 'cli'],
] as const)('%s is refused in one sentence', async (_title, script) => {
  const args = manifest.scripts[script].replace('exec node ', '').split(' ')
  const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"24.6.1"})'
  const { code, stderr } = await start(process.execPath, ['--import', older, ...args])
  expect(stderr).toMatch(said('24\\.6\\.1'))
  expect(code).toBe(1)
})

/** Those of the system, beside the one that runs this. */
const others = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((file) => !file.startsWith(root) && existsSync(file))

it.skipIf(others.length === 0)("the system's own Node starts the service, or says why it does not", async () => {
  const { stderr } = await start(others.at(-1)!, ['--import', './src/loading.js', 'src/main.ts', '--version'])
  expect(stderr === '' || said('\\S+').test(stderr), stderr).toBe(true)
})
