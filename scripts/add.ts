/** Writes what a new operation needs, in the contract, in the code and in the tests, for a designer to edit from there. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Argument } from 'commander'
import { buildCodeParts, type CodeParts } from './add/code.ts'
import { withOperation } from './add/contract.ts'
import { NotAdded, parseNaming, verbs } from './add/naming.ts'
import { createCommand } from './command.ts'
import { generate, writeGenerated } from './contract/generated.ts'
import { lint } from './contract/lint.ts'
import { ContractFault, contractFile, root } from './contract/redocly.ts'

const command = createCommand(
  'contract:add',
  'Adds an operation that works, for you to edit: contract, handler, scenarios and test.',
)
  .addArgument(new Argument('<what>', 'what to add').choices(['operation']))
  .argument('<operationId>', 'a verb and a noun in camelCase')
  .addHelpText(
    'after',
    `\nThe verbs:\n${Object.values(verbs)
      .map((line) => `  ${line}\n`)
      .join('')}`,
  )
  .parse()
const [, operationId = ''] = command.args

const read = (path: string) => readFile(join(root, path), 'utf8')

/** Before and after, by path; before is undefined of a file that is new. */
type Changes = Map<string, { before: string | undefined; after: string }>

try {
  const changes = await planChanges(operationId)
  await apply(changes)
  process.stdout.write(
    `${operationId} is added:\n${[...changes.keys()].map((path) => `  ${path}\n`).join('')}` +
      'It answers with its example. Edit it from the contract on: docs/designers/operation.md says what each file is for.\n',
  )
} catch (error) {
  if (!(error instanceof NotAdded || error instanceof ContractFault)) throw error
  process.stderr.write(`${error.message.trim()}\nNothing was written.\n`)
  process.exitCode = 1
}

/** Writes nothing. @throws NotAdded, ContractFault */
async function planChanges(name: string): Promise<Changes> {
  const naming = parseNaming(name)
  const contract = await read(contractFile)
  const { made, changed } = buildCodeParts(naming)
  const changes: Changes = new Map([[contractFile, { before: contract, after: withOperation(contract, naming) }]])
  for (const path of Object.keys(made))
    if (existsSync(join(root, path))) throw new NotAdded(`${path} is there already.`)
  for (const [path, lines] of Object.entries(changed)) {
    const before = await read(path)
    changes.set(path, { before, after: await styled(path, withLines(before, path, lines)) })
  }
  for (const [path, text] of Object.entries(made))
    changes.set(path, { before: undefined, after: await styled(path, text) })
  const broken = await lint()
  if (broken.length > 0) throw new NotAdded(`The contract breaks its rules. Correct this first:\n${broken.join('\n')}`)
  return changes
}

function withLines(text: string, path: string, lines: CodeParts['changed'][string]): string {
  return lines.reduce((all, { anchor, place, text: own }) => {
    const [head, tail, ...more] = `\n${all}`.split(`\n${anchor}\n`)
    if (head === undefined || tail === undefined || more.length > 0)
      throw new NotAdded(
        `${path} has no line "${anchor.trim()}", or several, and that is where this one belongs: ${own.trim()}`,
      )
    return `${head}\n${place === 'before' ? `${own}\n${anchor}` : `${anchor}\n${own}`}\n${tail}`.slice(1)
  }, text)
}

/** In the style of the checkout. */
function styled(path: string, text: string): Promise<string> {
  const bin = join(root, 'node_modules/.bin/biome')
  return new Promise((resolve, reject) => {
    const { stdin } = execFile(
      bin,
      ['check', '--write', `--stdin-file-path=${path}`],
      { cwd: root },
      (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)),
    )
    stdin!.end(text)
  })
}

/** All of it, with what is generated; or, where something fails, nothing. */
async function apply(changes: Changes): Promise<void> {
  try {
    for (const [path, { after }] of changes) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), after)
    }
    await writeGenerated(await generate())
  } catch (error) {
    for (const [path, { before }] of changes)
      await (before === undefined ? rm(join(root, path), { force: true }) : writeFile(join(root, path), before))
    throw error
  }
}
