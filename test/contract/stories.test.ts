/** The stories of the contract on the mock, which keeps nothing: `Prefer` names the answer of each step. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type Checkout, copyCheckout } from '../support/checkout.ts'
import { commandsOf } from '../support/docs.ts'
import { type Mock, startMock } from '../support/mock.ts'
import { document, endedWell, playStories, type Story } from '../support/stories.ts'

let checkout: Checkout
let mock: Mock
beforeAll(async () => {
  checkout = await copyCheckout()
  mock = await startMock(checkout.folder)
})
afterAll(async () => {
  mock?.stop()
  await checkout?.remove()
})

const play = (path?: string) => playStories({ url: mock.url, key: 'any', now: new Date() }, path)

it('the mock plays every story to its end', async () => {
  expect(await play()).toEqual(endedWell)
})

it('the command of the page plays all stories', async () => {
  const [command = ''] = commandsOf('docs/designers/stories.md')
  const { code, output } = await checkout.run(command.replace('http://127.0.0.1:3000', mock.url))
  expect([code, output]).toEqual([0, expect.stringContaining(`${document.workflows.length} passed`)])
})

it('a story fails at each condition that an answer does not meet', async () => {
  const stories = document.workflows.flatMap(withOneOpposite)
  const path = `${checkout.folder}/opposite.arazzo.yaml`
  await checkout.write('opposite.arazzo.yaml', stringify({ ...document, workflows: stories.map(({ story }) => story) }))
  const failed = (await play(path)).map((played) => played.failed)
  expect(failed).toEqual(stories.map(({ fails }) => [fails]))
})

/** For each of its conditions, the story up to that step, with the opposite of the condition. */
function withOneOpposite(story: Story): { story: Story; fails: string }[] {
  return story.steps.flatMap(({ onFailure: _never, ...step }, index) =>
    step.successCriteria.map((criterion, place) => {
      const condition = criterion.condition.replace(' == ', ' != ')
      expect(condition).not.toBe(criterion.condition)
      const last = { ...step, successCriteria: step.successCriteria.with(place, { ...criterion, condition }) }
      const steps = [...story.steps.slice(0, index), last]
      const workflowId = `${story.workflowId}-${index}-${place}`
      return { story: { ...story, workflowId, steps }, fails: `${step.stepId}: ${condition}` }
    }),
  )
}

it('the lint names the line of a step whose operation has another name now', async () => {
  await checkout.replace('openapi.yaml', 'operationId: confirmVerification', 'operationId: confirmVerifications')
  const { code, output } = await checkout.run('npm run --silent contract:lint')
  await checkout.replace('openapi.yaml', 'operationId: confirmVerifications', 'operationId: confirmVerification')
  expect(code).toBe(1)
  const lines = (await checkout.read('stories.arazzo.yaml')).split('\n')
  const line = lines.findIndex((text) => text.includes('operationId: confirmVerification')) + 1
  expect(output).toContain(`stories.arazzo.yaml:${line}:`)
  expect(output).toContain('no operation has the operationId confirmVerification; did you mean confirmVerifications?')
})
