/** The stories of the contract, as the reference shows them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ContractFault, root } from './redocly.ts'

export const storiesFile = 'stories.arazzo.yaml'

interface Workflow {
  workflowId: string
  summary: string
  description: string
  steps: Step[]
}

interface Step {
  stepId: string
  description: string
  operationId: string
  parameters?: { name: string; in: string; value: unknown }[]
  requestBody?: { payload: Record<string, unknown> }
  successCriteria: { condition: string }[]
}

/** @throws ContractFault when there are none that can be read */
export async function readStories(): Promise<object[]> {
  const text = await readFile(join(root, storiesFile), 'utf8')
  try {
    return (parse(text) as { workflows: Workflow[] }).workflows.map(buildStory)
  } catch (error) {
    throw new ContractFault(`${storiesFile} is no document of Arazzo: ${(error as Error).message}\n`)
  }
}

function buildStory({ workflowId, summary, description, steps }: Workflow): object {
  const numbers = new Map(steps.map(({ stepId }, index) => [stepId, index + 1]))
  /** What a value comes from: `$steps.send.outputs.request_id` from the first step. */
  const sourceOf = (value: unknown) => {
    const [, step = '', name = ''] = /^\$steps\.(\w+)\.outputs\.(\w+)$/.exec(String(value)) ?? []
    const number = numbers.get(step)
    return number === undefined ? undefined : { step: number, name }
  }
  return {
    id: workflowId,
    summary,
    description,
    steps: steps.map(({ description: about, operationId, parameters = [], requestBody, successCriteria }) => {
      const given = [
        ...parameters.filter((parameter) => parameter.in !== 'header').map(({ name, value }) => [name, value] as const),
        ...Object.entries(requestBody?.payload ?? {}),
      ]
      return {
        description: about,
        operationId,
        sends: given.map(([name, value]) => ({ name, ...(sourceOf(value) ? { from: sourceOf(value) } : { value }) })),
        ...buildAnswer(
          successCriteria.map(({ condition }) => condition),
          sourceOf,
        ),
      }
    }),
  }
}

/** The status, and what the answer has: each condition as it is said, or else as it is written. */
function buildAnswer(conditions: readonly string[], sourceOf: (value: unknown) => object | undefined): object {
  const statusOf = (condition: string) => /^\$statusCode == (\d{3})$/.exec(condition)?.[1]
  return {
    status: Number(conditions.map(statusOf).find((status) => status !== undefined) ?? 200),
    has: conditions
      .filter((condition) => statusOf(condition) === undefined)
      .map((condition) => {
        const [, pointer, value = ''] = /^\$response\.body#\/data\/(\S+) == (.+)$/.exec(condition) ?? []
        if (pointer === undefined) return { name: condition }
        const from = sourceOf(value)
        return { name: pointer.replaceAll('/', '.'), ...(from ? { from } : { value: value.replaceAll(/^'|'$/g, '') }) }
      }),
  }
}
