/** Makes `dist/watchword-<version>.tgz`: what an operator installs, with a command `watchword` and nothing else to fetch. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { createCommand } from './command.ts'
import { root } from './contract/redocly.ts'
import { bundleService } from './package/bundle.ts'
import { collectLicenses } from './package/licenses.ts'
import { buildSbom } from './package/sbom.ts'

const about = 'Makes the file that an operator installs: a package for npm with the whole service in it.'
const options = createCommand('package', about).argument('[folder]', 'where it is put', 'dist').parse()
const target = resolve(options.processedArgs[0])
const { name, version, description, license, type, engines } = manifest
/** Beside the code, for people and for tools. */
const papers = ['openapi.yaml', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']
/** Somebody at work may have other files there, which are not for others. */
const isOfPages = async (path: string) => /\.(md|png|svg|jsonnet)$/.test(path) || (await stat(path)).isDirectory()

/**
 * The flags take a third of the memory under load, and can be set at the start alone. Code is kept compiled
 * where the operator says (NODE_COMPILE_CACHE): the package's own folder may be read-only.
 */
const command = `#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=40
const wanted = '${engines.node.replace(/^>=/, '')}'
const isOlder = wanted.localeCompare(process.versions.node, undefined, { numeric: true }) > 0
if (isOlder) {
  process.stderr.write(\`Watchword needs Node \${wanted} or newer, and this is \${process.versions.node}.\\n\`)
  process.exit(1)
}
await import('../dist/watchword.js')
`

const folder = await mkdtemp(join(tmpdir(), 'watchword-package-'))
try {
  // Called as the folder of the package that has the empty database in it: it looks for that in "../dist".
  const packages = await bundleService(join(folder, 'dist'))
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await collectLicenses(packages))
  await writeFile(join(folder, 'sbom.cdx.json'), await buildSbom(packages))
  for (const paper of papers) await cp(join(root, paper), join(folder, paper))
  await cp(join(root, 'docs'), join(folder, 'docs'), { recursive: true, filter: isOfPages })
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/watchword.js'), command)
  await chmod(join(folder, 'bin/watchword.js'), 0o755)
  const own = { name, version, description, license, type, engines, bin: { watchword: 'bin/watchword.js' } }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
  await mkdir(target, { recursive: true })
  const npm = ['pack', '--silent', '--pack-destination', target]
  const { stdout } = await promisify(execFile)('npm', npm, { cwd: folder })
  const file = join(target, stdout.trim())
  const megabytes = ((await stat(file)).size / 2 ** 20).toFixed(1)
  process.stdout.write(`${relative('.', file)}: ${megabytes} MB, with the code of ${packages.length} packages\n`)
} finally {
  await rm(folder, { recursive: true })
}
