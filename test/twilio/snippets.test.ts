/** The programs of docs/twilio.md, run as they stand there: with Twilio's own libraries, or with stand-ins for them. */
import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../../scripts/contract/redocly.ts'
import { installed } from '../support/installed.ts'
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
  await writeFile(join(folder, 'program.mjs'), await programOf('node'))
  await expectApproved(folder, [process.execPath, 'program.mjs'])
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
    await writeFile(join(folder, 'program.py'), await programOf('python'))
    await expectApproved(folder, [python!, 'program.py'])
  },
)

interface StandIn {
  language: 'go' | 'php' | 'java'
  needs: string[]
  file: string
  /** Makes a file of what the page shows, which is no whole program. */
  whole: (program: string) => string
  compile?: string[]
  run: string[]
}

const standIns: StandIn[] = [
  {
    language: 'go',
    needs: ['go'],
    file: 'snippet.go',
    whole: (program) => {
      const names = ['net/http', 'time', 'github.com/twilio/twilio-go', 'github.com/twilio/twilio-go/client']
      return `package main\n\nimport (\n${names.map((name) => `"${name}"\n`).join('')})\n\n${program}`
    },
    run: ['go', 'run', 'snippet.go', 'program.go'],
  },
  {
    language: 'php',
    needs: ['php'],
    file: 'snippet.php',
    whole: (program) => `<?php\n${program}`,
    run: ['php', 'program.php'],
  },
  {
    language: 'java',
    needs: ['javac', 'java'],
    file: 'Snippet.java',
    whole: (program) => {
      const [named, statement] = program.split('\n\n')
      const connect = `static TwilioRestClient connect(String accountSid, String apiKey) { ${statement} return client; }`
      return `import com.twilio.http.*;\n\n${named}\n\nclass Snippet { ${connect} }\n`
    },
    compile: ['javac', '-d', 'out', 'Program.java'],
    run: ['java', '-cp', 'out', 'Program'],
  },
]

for (const { language, needs, file, whole, compile, run } of standIns) {
  const missing = needs.filter((name) => !installed(name))
  const skipped = missing.length > 0 ? ` (skipped: no ${missing.join(', no ')})` : ''
  it.skipIf(skipped)(`the client for ${language} asks the other host, and signs in there${skipped}`, async () => {
    const place = join(folder, language)
    await cp(join(import.meta.dirname, 'standins', language), place, { recursive: true })
    const { host, origin } = new URL(stage.server.url)
    const program = (await programOf(language))
      .replaceAll('https://otp.acme.com', origin)
      .replaceAll('"https"', '"http"')
      .replaceAll('otp.acme.com', host)
    await writeFile(join(place, file), whole(program))
    if (compile) await start(place, compile)
    await expectApproved(place, run)
  })
}

/** What stands on the page behind the mark that says that it runs. */
async function programOf(language: string): Promise<string> {
  const page = await readFile(join(root, 'docs/twilio.md'), 'utf8')
  const [, program] = new RegExp(`<!-- runs: ${language} -->\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  return program!
}

async function expectApproved(place: string, command: string[]): Promise<void> {
  expect(await start(place, command)).toMatch(/^VE[0-9a-f]{32} approved\n$/)
}

async function start(place: string, [program, ...options]: string[]): Promise<string> {
  const env = {
    ...{ PATH: process.env.PATH, PYTHONPATH: process.env.PYTHONPATH },
    ...{ ACCOUNT_SID: stage.accountSid, SERVICE_SID: stage.serviceSid, API_KEY: await stage.server.key() },
    ...{ BASE_URL: stage.server.url, PHONE: newPhone(), CODE: '000000' },
    // Without modules, because nothing is to be fetched.
    ...{ GO111MODULE: 'off', GOPATH: place, GOCACHE: join(folder, 'go-cache') },
  }
  return (await promisify(execFile)(program!, options, { cwd: place, env: env as NodeJS.ProcessEnv })).stdout
}
