/** The command lines of the tools: what `npm run … -- --help` shows, and how they refuse what they do not know. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
/** Those that are made of files of this project, by their names in `package.json`. */
const own = Object.entries(manifest.scripts).filter(([, command]) => /^(exec )?node .*(scripts|src)\//.test(command))

describe.each(own)('npm run %s', (_name, command) => {
  it('shows its help on stdout, and ends with 0', async () => {
    const { code, stdout, stderr } = await run(`${command} --help`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Usage: ')
  })

  it('refuses an unknown option with 2, and says on stderr where the options are listed', async () => {
    const { code, stdout, stderr } = await run(`${command} --no-such-option`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/Usage: |--help/)
  })
})

/** The pinned Node and the packages first on the PATH, as npm does it. */
function run(command: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
  })
}
