/** What the package is made of, for tools that look for known faults: CycloneDX, as `npm sbom` writes it. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../contract/redocly.ts'

interface Sbom {
  components: { 'bom-ref': string; name: string; version: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
  metadata: { component: { 'bom-ref': string } }
}

/**
 * `npm sbom` lists what is installed; of that, only what is bundled is in the package.
 *
 * @param folders of the packages that are bundled, from the root
 * @throws Error when npm does not list one of them
 */
export async function sbomOf(folders: readonly string[]): Promise<string> {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--package-lock-only']
  const { stdout } = await promisify(execFile)('npm', command, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const sbom = JSON.parse(stdout) as Sbom
  const bundled = await Promise.all(folders.map(namedVersion))
  const components = sbom.components.filter(({ name, version }) => bundled.includes(`${name}@${version}`))
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  const missing = bundled.filter((one) => !listed.includes(one))
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`)
  const refs = new Set([sbom.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  return `${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`
}

async function namedVersion(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  return `${name}@${version}`
}
