/** The programs of docs/twilio.md, run as they stand there with Twilio's own libraries. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../../scripts/contract/redocly.ts'
import { newPhone } from '../support/server.ts'
import { openTwilio, type TwilioStage } from '../support/twilio.ts'

let stage: TwilioStage
let folder: string
beforeAll(async () => {
  stage = await openTwilio()
  folder = await mkdtemp(join(tmpdir(), 'watchword-twilio-'))
  await symlink(join(root, 'packages/twilio/node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

it('the program for node starts a verification and checks it', async () => {
  await expectApproved(process.execPath, 'program.mjs', await programOf('node'))
})

/** Debian's own Python has Debian's packages. */
const python = ['python3', '/usr/bin/python3'].find((name) => {
  try {
    execFileSync(name, ['-c', 'import twilio'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
it.skipIf(!python)(
  python ? 'the program for Python does the same' : 'the program for Python (skipped: no python3 with twilio)',
  async () => {
    await expectApproved(python!, 'program.py', await programOf('python'))
  },
)

/** What stands on the page behind the mark that says that it runs. */
async function programOf(language: string): Promise<string> {
  const page = await readFile(join(root, 'docs/twilio.md'), 'utf8')
  const [, program] = new RegExp(`<!-- runs: ${language} -->\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  return program!
}

async function expectApproved(command: string, name: string, program: string): Promise<void> {
  await writeFile(join(folder, name), program)
  const env = {
    ...{ PATH: process.env.PATH, PYTHONPATH: process.env.PYTHONPATH },
    ...{ ACCOUNT_SID: stage.accountSid, SERVICE_SID: stage.serviceSid, API_KEY: await stage.server.key() },
    ...{ BASE_URL: stage.server.url, PHONE: newPhone(), CODE: '000000' },
  }
  const { stdout } = await promisify(execFile)(command, [name], { cwd: folder, env: env as NodeJS.ProcessEnv })
  expect(stdout).toMatch(/^VE[0-9a-f]{32} approved\n$/)
}
