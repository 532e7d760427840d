/** Stories: each step names an operation of the contract that it is written for. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { suggestion } from './nearest.ts'
import { type Context, isReference, type Json } from './walk.ts'

/** @returns the visitors of the rule: the contract is in a document of its own, which Redocly does not read for one of Arazzo */
export function requireKnownSteps() {
  let known: string[] = []
  return {
    Root: {
      enter: ({ sourceDescriptions = [] }: { sourceDescriptions?: { url: string }[] }, { location }: Context) => {
        const folder = dirname(location.source.absoluteRef)
        known = sourceDescriptions.flatMap(({ url }) => operationIds(resolve(folder, url)))
      },
    },
    Step: {
      enter: ({ operationId }: Json, { location, report }: Context) => {
        if (typeof operationId === 'string' && known.includes(operationId)) return
        const message =
          operationId === undefined
            ? 'a step must name its operation in operationId'
            : `no operation has the operationId ${operationId}${suggestion(String(operationId), known)}`
        report({ message, location: operationId === undefined ? location : location.child(['operationId']) })
      },
    },
  }
}

/** Of a contract whose paths may be in files of their own. */
function operationIds(file: string): string[] {
  const { paths } = readYaml(file) as { paths: Record<string, Json> }
  const items = Object.values(paths).map((item) =>
    isReference(item) ? readYaml(resolve(dirname(file), item.$ref.split('#')[0]!)) : item,
  )
  return items.flatMap((item) =>
    Object.values(item).flatMap((operation) => (operation as { operationId?: string }).operationId ?? []),
  )
}

const readYaml = (file: string): Json => parse(readFileSync(file, 'utf8'))
