/** Plays the stories of `stories.arazzo.yaml` with Redocly, which also holds each answer to its schema. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { redocly, root } from '../../scripts/contract/redocly.ts'

export interface Story {
  workflowId: string
  summary: string
  steps: {
    stepId: string
    description: string
    operationId: string
    successCriteria: { condition: string }[]
    onFailure?: object[]
  }[]
}

const file = 'stories.arazzo.yaml'

export const document: { workflows: Story[] } = parse(await readFile(join(root, file), 'utf8'))

interface Report {
  files: Record<string, { executedWorkflows: { workflowId: string; executedSteps: ReportedStep[] }[] }>
}

interface ReportedStep {
  stepId: string
  checks: { name: string; status: string; condition?: string }[]
}

interface Played {
  story: string
  steps: string[]
  /** Checks of its last step: `step: condition`. */
  failed: string[]
}

/** What is to be seen of stories that all end well. */
export const endedWell: readonly Played[] = document.workflows.map(({ workflowId, steps }) => ({
  story: workflowId,
  steps: steps.map(({ stepId }) => stepId),
  failed: [],
}))

/**
 * @param api its address, a test key that may do everything, and the time of its clock
 * @param path of other stories
 */
export async function playStories(
  { url, key, now }: { url: string; key: string; now: Date },
  path = file,
): Promise<Played[]> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-stories-'))
  try {
    const json = join(folder, 'report.json')
    const inputs = { key, send_at: new Date(now.getTime() + 3600_000).toISOString() }
    const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`])
    const options = [...given, '--server', `watchword=${url}`, '--json-output', json]
    const { output, errors } = await redocly('respect', path, ...options)
    const text = await readFile(json, 'utf8').catch(() => {
      throw new Error(output + errors)
    })
    const { files } = JSON.parse(text) as Report
    return Object.values(files).flatMap(({ executedWorkflows }) =>
      executedWorkflows.map(({ workflowId, executedSteps }) => ({
        story: workflowId,
        steps: [...new Set(executedSteps.map(({ stepId }) => stepId))],
        failed: listFailed(executedSteps.at(-1)!),
      })),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Of the last step alone: one that was tried again is there once for each time. */
function listFailed({ stepId, checks }: ReportedStep): string[] {
  return checks
    .filter(({ status }) => status !== 'success')
    .map(({ name, condition }) => `${stepId}: ${condition ?? name}`)
}
