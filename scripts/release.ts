/**
 * Makes a version: checks that it may be made, sets it in the contracts and packages, and keeps the contracts as published, which is
 * what later ones are compared with. It commits nothing; a tag is only a name for the commit.
 */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { createCommand } from './command.ts'
import { bumpFor, compare, raised } from './contract/compare.ts'
import { compareVersions, git, NoHistory, publishedFolder, publishedVersions } from './contract/history.ts'
import { bundle, ContractFault, contractFiles, root } from './contract/redocly.ts'

/** Why the version is not made. */
class NotReady extends Error {
  override readonly name = 'NotReady'
}

const command = createCommand('release', 'Makes a version: checks it, sets it, and keeps its contracts as published.')
  .argument('<version>', 'like 1.2.0')
  .parse()
const [version = ''] = command.args
const read = (path: string) => readFile(join(root, path), 'utf8')
const write = (path: string, text: string) => writeFile(join(root, path), text)

try {
  await requireReady()
  await setVersions()
  await promisify(execFile)(process.execPath, [join(root, 'scripts/generate.ts')], { cwd: root })
  await publish()
  process.stdout.write(
    `Version ${version} is set, and its contracts are in ${publishedFolder}/${version}/. Look at it all, and commit it as ` +
      `"Release ${version}". A tag v${version} on that commit has .github/workflows/release.yaml build it.\n`,
  )
} catch (error) {
  if (![NotReady, NoHistory, ContractFault].some((kind) => error instanceof kind)) throw error
  process.stderr.write(`${(error as Error).message.trim()}\n`)
  process.exitCode = 1
}

async function requireReady(): Promise<void> {
  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version))
    throw new NotReady(`"${version}" is not a version like 1.2.0`)
  const changed = await git('status', '--porcelain')
  if (changed !== '') throw new NotReady(`Commit these first:\n${changed}`)
  const dated = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm')
  if (!dated.test(await read('CHANGELOG.md')))
    throw new NotReady(`CHANGELOG.md has no heading "## [${version}] - " with a date like 2026-11-28`)
  for (const file of contractFiles) await requireHighEnough(file)
}

async function requireHighEnough(file: string): Promise<void> {
  const [last] = publishedVersions(file)
  if (!last) return
  if (compareVersions(version, last.version) <= 0)
    throw new NotReady(`${last.version} is published: ${version} is not newer`)
  const bump = bumpFor(await compare(last, file))
  const least = bump && raised(last.version, bump)
  if (least !== undefined && compareVersions(version, least) < 0)
    throw new NotReady(
      `${file} has ${bump} changes since ${last.version}: they ask for ${least} or later. npm run contract:diff lists them`,
    )
}

async function setVersions(): Promise<void> {
  for (const file of contractFiles) {
    const text = await read(file)
    await write(file, text.replace(/^ {2}version: .*$/m, `  version: ${version}`))
  }
  const manifest = JSON.parse(await read('package.json'))
  // The names of the package and of the image.
  const named = new RegExp(`(watchword[-:])${manifest.version.replaceAll('.', '\\.')}\\b`, 'g')
  for (const path of globSync(['docs/*.md', 'deploy/{kubernetes,one-port}/*.yaml', 'deploy/systemd/*.service'], {
    cwd: root,
  })) {
    const text = await read(path)
    const renamed = text.replaceAll(named, `$1${version}`)
    if (renamed !== text) await write(path, renamed)
  }
  await write('package.json', `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  const lock = JSON.parse(await read('package-lock.json'))
  const packages = { ...lock.packages, '': { ...lock.packages[''], version } }
  await write('package-lock.json', `${JSON.stringify({ ...lock, version, packages }, null, 2)}\n`)
}

async function publish(): Promise<void> {
  await mkdir(join(root, publishedFolder, version), { recursive: true })
  for (const file of contractFiles) {
    const document = await bundle({ file })
    await write(join(publishedFolder, version, file), stringify(document, { aliasDuplicateObjects: false }))
  }
}
