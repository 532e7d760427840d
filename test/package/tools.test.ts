/** The tools that take an installed package in place of the checkout. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { folder } = inject('installed')!

function tool(script: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, script), ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
  })
}

it('npm run conformance holds the package to the contract, with a key of its own', { timeout: 300_000 }, async () => {
  const { code, stdout, stderr } = await tool('scripts/conformance.ts', '--package', folder)
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/\n\d+ passed, 0 failed/)
})

it('npm run bench measures the package', { timeout: 300_000 }, async () => {
  const options = ['--only', 'start', '--rounds', '1', '--json']
  const { code, stdout, stderr } = await tool('scripts/bench.ts', '--package', folder, ...options)
  expect({ code }, stderr).toEqual({ code: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ failures: [], about: { package: folder } })
})

it.each(['bench', 'soak', 'conformance'])('npm run %s refuses a folder without the package', async (name) => {
  const { code, stderr } = await tool(`scripts/${name}.ts`, '--package', import.meta.dirname)
  expect(code).toBe(2)
  expect(stderr).toContain('The package is not installed in that folder.')
})
