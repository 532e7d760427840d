/** `npm run stage`, as `.ci/run` calls it. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-stage-test-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'test'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { 'test:some': 'vitest run' } }))
  const config = `import { reporters } from ${JSON.stringify(join(root, 'vitest.config.ts'))}
export default { test: { reporters, include: ['test/*.test.js'] } }`
  await writeFile(join(folder, 'vitest.config.js'), config)
})
afterAll(() => rm(folder, { recursive: true }))

/** A file whose test passes from its run of that number on. */
async function write(name: string, passesFrom: number): Promise<void> {
  const runs = join(folder, `${name}.runs`)
  await rm(runs, { force: true })
  await writeFile(
    join(folder, `test/${name}.test.js`),
    `import { appendFileSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
it('passes', () => {
  appendFileSync('${runs}', 'x')
  expect(readFileSync('${runs}', 'utf8').length).toBeGreaterThanOrEqual(${passesFrom})
})`,
  )
}
const runsOf = async (name: string) => (await readFile(join(folder, `${name}.runs`), 'utf8')).length

function stage(): Promise<{ code: unknown; lines: string[] }> {
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts/stage.ts'), 'test:some'], { cwd: folder, env }, (error, stdout) =>
      resolve({
        code: error ? error.code : 0,
        lines: stdout.split('\n').filter((line) => /^(flaked|failed twice)/.test(line)),
      }),
    )
  })
}

describe('a stage', () => {
  it('passes where a file that failed passes alone, and names it', async () => {
    await write('good', 1)
    await write('flaky', 2)
    expect(await stage()).toEqual({ code: 0, lines: ['flaked: test/flaky.test.js'] })
    expect([await runsOf('good'), await runsOf('flaky')]).toEqual([1, 2])
  })

  it('fails where one of the files fails twice', async () => {
    await write('flaky', 2)
    await write('broken', 3)
    const { code, lines } = await stage()
    expect(code).not.toBe(0)
    expect(lines.toSorted()).toEqual(['failed twice: test/broken.test.js', 'flaked: test/flaky.test.js'])
  })
})
