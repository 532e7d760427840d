/** Manifests for Kubernetes, as files of `deploy/` have them. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: any kind of manifest, whose form the compiler checks below
  spec?: any
  data?: object
}

export function manifestsIn(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => document.toJS() as Manifest)
}

/** @returns what the compiler says of them, by the types of Kubernetes; nothing when all is well */
export async function typeFaultsOf(manifests: readonly Manifest[]): Promise<string> {
  const folder = await mkdtemp(join(root, 'node_modules/.cache-deploy-'))
  try {
    const lines = manifests.map(({ apiVersion, kind, ...rest }, index) => {
      const group = apiVersion.includes('/')
        ? apiVersion.replace('.networking.k8s.io', '').replace('.k8s.io', '')
        : `core/${apiVersion}`
      const text = JSON.stringify({ apiVersion, kind, ...rest }, null, 2)
      return `import type { ${kind} as K${index} } from 'kubernetes-types/${group}.d.ts'\nexport const m${index}: K${index} = ${text}`
    })
    await writeFile(join(folder, 'manifests.ts'), lines.join('\n'))
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...flags, join(folder, 'manifests.ts')]
    return (await promisify(execFile)(process.execPath, tsc).catch((error: { stdout: string }) => error)).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
