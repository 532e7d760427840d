/** The operations as a designer knows them: where they stand, and which one got another name. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Contract, contractFile, listOperations, root, twilioContractFile } from '../contract/redocly.ts'
import type { TypeFault } from './typeCheck.ts'

interface Door {
  contract: string
  generated: string
  /** Of its handlers. */
  folder: string
}

const doors: readonly Door[] = [
  { contract: contractFile, generated: 'generated', folder: 'src/http/api/operations' },
  { contract: twilioContractFile, generated: 'generated/twilio-verify', folder: 'src/http/twilio/operations' },
]

/** By operationId. */
export type Operations = Map<string, Operation>

interface Operation {
  /** Like `openapi.yaml:12`. */
  place: string
  /** Like `get /v1/things`. */
  route: string
  /** Of its handler. */
  folder: string
}

/** As they are in what was generated last, of all contracts. */
export async function readOperations(): Promise<Operations> {
  return new Map((await Promise.all(doors.map(readDoor))).flat())
}

async function readDoor({ contract, generated, folder }: Door): Promise<[string, Operation][]> {
  const [text, made] = await Promise.all(
    [contract, `${generated}/contract.json`].map((path) => readFile(join(root, path), 'utf8')),
  )
  const lines = text!.split('\n')
  return listOperations(JSON.parse(made!) as Contract).map(({ operationId, method, path }) => {
    const index = lines.findIndex((line) => new RegExp(`^\\s*operationId: *${operationId}\\s*$`).test(line))
    // It may stand in a file that the contract refers to.
    const place = index === -1 ? contract : `${contract}:${index + 1}`
    return [operationId, { place, route: `${method} ${path}`, folder }]
  })
}

/** A line for each operation that is gone, with the one that it may have become. */
export function toldOfRenames(before: Operations, now: Operations): Map<string, string> {
  const gone = [...before].filter(([id]) => !now.has(id))
  const came = [...now].filter(([id]) => !before.has(id))
  return new Map(
    gone.map(([id, { route, folder }]) => {
      const same = came.find(([, operation]) => operation.route === route)
      const [to, operation] = same ?? (gone.length === 1 && came.length === 1 ? came[0]! : [])
      const renamed = to === undefined ? '' : `; ${to} came with ${operation!.place}: renamed?`
      return [id, `${folder}/${id}.ts handles ${id}, which the contract does not have any more${renamed}`]
    }),
  )
}

/** One line for each fault; those of a handler whose operation is gone are one. */
export function describeFaults(faults: TypeFault[], operations: Operations, gone: Map<string, string>): string[] {
  const lines = faults.map(({ file, line, column, message, source }) => {
    const [name] = doors.flatMap(({ folder }) => new RegExp(`^${folder}/(\\w+)\\.ts$`).exec(file)?.[1] ?? [])
    const id = name === 'index' ? /\w+/.exec(source)?.[0] : name
    const place = id === undefined ? undefined : operations.get(id)?.place
    const told = id === undefined ? undefined : gone.get(id)
    return (
      told ?? `${file}:${line}:${column} ${message}${place ? `\n    the contract has this operation at ${place}` : ''}`
    )
  })
  return [...new Set(lines)]
}
