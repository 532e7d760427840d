/**
 * What the package is made of, as CycloneDX, for tools that look for known faults. `npm sbom` is of no use here: it lists what is
 * installed, not what is bundled, and refuses a tree in which `overrides` change what a package asks for.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../contract/redocly.ts'

/** @param folders of the packages that are bundled, from the root */
export async function buildSbom(folders: readonly string[]): Promise<string> {
  const { name: own, version: ownVersion } = await readJson('package.json')
  const { packages } = await readJson('package-lock.json')
  const application = { type: 'application', 'bom-ref': refOf(own, ownVersion), name: own, version: ownVersion }
  const found = await Promise.all(folders.map((folder) => buildComponent(folder, packages[folder]?.integrity ?? '')))
  // Of some packages the same version lies in several folders.
  const components = [...new Map(found.map((component) => [component['bom-ref'], component])).values()]
  const dependsOn = components.map((component) => component['bom-ref'])
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: application },
    components,
    dependencies: [{ ref: application['bom-ref'], dependsOn }],
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

const refOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))

/** @param integrity as the lockfile has it */
async function buildComponent(folder: string, integrity: string) {
  const { name, version, license } = await readJson(join(folder, 'package.json'))
  const [, digest] = /^sha512-(.*)$/.exec(integrity) ?? []
  return {
    type: 'library',
    'bom-ref': refOf(name, version),
    purl: refOf(name, version),
    name: name as string,
    version: version as string,
    ...(license && { licenses: [{ expression: license as string }] }),
    ...(digest && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
  }
}
