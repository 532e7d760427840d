/** Writes copies of the contract for tools that follow no references, or read another version of OpenAPI. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { stringify } from 'yaml'
import { createCommand } from './command.ts'
import { upgraded } from './contract/generated.ts'
import { bundle, ContractFault } from './contract/redocly.ts'

const about = 'Writes copies of the contract for tools that follow no references, or read another version of OpenAPI.'
const command = createCommand('contract:bundle', about).argument('[folder]', 'where they are put', 'dist').parse()
const folder = resolve(command.processedArgs[0])

try {
  const [bundled, dereferenced] = await Promise.all([bundle(), bundle({ dereferenced: true })])
  const copies: [name: string, document: object, about: string][] = [
    ['openapi', bundled, 'one document, references within it'],
    ['openapi.dereferenced', dereferenced, 'one document without references'],
    ['openapi.3.1', upgraded(bundled), 'one document, as OpenAPI 3.1'],
  ]
  await mkdir(folder, { recursive: true })
  for (const [name, document, about] of copies) {
    await write(`${name}.json`, `${JSON.stringify(document, null, 2)}\n`, about)
    await write(`${name}.yaml`, stringify(document, { aliasDuplicateObjects: false }), about)
  }
} catch (error) {
  if (!(error instanceof ContractFault)) throw error
  process.stderr.write(error.message)
  process.exitCode = 1
}

async function write(name: string, text: string, about: string): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, text)
  process.stdout.write(`${relative('.', file)}: ${about}\n`)
}
