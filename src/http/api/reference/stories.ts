/** The stories of the contract as sequences: what a program asks, one request after the other, and what it is answered. */
import written from '../../../../generated/stories.json' with { type: 'json' }
import { type Html, html } from '../../html.ts'
import { documentedOperations } from './document.ts'
import type { Text } from './text.ts'

/** A value in a request or an answer; `from` where an earlier step has answered it. */
interface Given {
  name: string
  value?: unknown
  from?: { step: number; name: string }
}

interface Step {
  description: string
  operationId: string
  sends: Given[]
  status: number
  has: Given[]
}

export interface Story {
  id: string
  summary: string
  description: string
  steps: Step[]
}

export const stories: readonly Story[] = written.stories

/** An operation may have the same name. */
export const storyAnchor = ({ id }: Pick<Story, 'id'>): string => `story-${id}`

export function storySection(story: Story, text: Text): Html {
  const anchor = storyAnchor(story)
  return html`<section class="chapter story" id="${anchor}"><h3><a href="#${anchor}">${story.summary}</a></h3>${text.block(story.description)}
<ol class="sequence">
${story.steps.map(
  (step) => html`<li>${text.block(step.description)}
<p class="asks">${text.line(asked(step))}</p>
<p class="answers">${text.line(answered(step))}</p></li>`,
)}
</ol></section>`
}

/** As Markdown: a list in the order of the steps. */
export function storyText({ summary, description, steps }: Story): string {
  const lines = steps.map((step, index) => `${index + 1}. ${step.description} ${asked(step)} ${answered(step)}`)
  return [`### ${summary}`, description.trim(), lines.join('\n')].join('\n\n')
}

function asked({ operationId, sends }: Step): string {
  const route = documentedOperations.find((known) => known.operationId === operationId)
  const target = route ? ` (\`${route.method} ${route.path}\`)` : ''
  const what = sends.length > 0 ? ` with ${sends.map(describeGiven).join(', ')}` : ''
  return `Your program → Watchword: \`${operationId}\`${target}${what}.`
}

function answered({ status, has }: Step): string {
  return `Watchword → your program: ${[`${status}`, ...has.map(describeGiven)].join(', ')}.`
}

function describeGiven({ name, value, from }: Given): string {
  if (from) return `\`${name}\` as \`${from.name}\` of step ${from.step}`
  return value === undefined
    ? `\`${name}\``
    : `\`${name}\` \`${typeof value === 'object' ? JSON.stringify(value) : value}\``
}
