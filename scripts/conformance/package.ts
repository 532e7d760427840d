/** The package that is installed in a folder, started for one run with an embedded database of its own. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../bench/program.ts'
import { startServer } from '../bench/server.ts'

export interface StartedPackage {
  url: string
  /** A test key with every scope. */
  key: string
  end: () => Promise<void>
}

/** @param root the folder */
export async function startPackage(root: string): Promise<StartedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-conformance-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const dataDir = join(folder, 'data')
    const command = [...(await findProgram(root, 'start')), 'serve']
    const { port, end } = await startServer(command, { root, folder, settings: { DATA_DIR: dataDir, DEV_KEYS: 'on' } })
    return {
      url: `http://127.0.0.1:${port}`,
      key: (await readFile(join(dataDir, 'test-key'), 'utf8')).trim(),
      end: async () => {
        await end('SIGTERM')
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
