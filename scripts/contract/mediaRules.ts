/** The rule of what travels: JSON, and nothing else yet. */
import { listResponses, operationsIn } from './answers.ts'
import { listMedia } from './eventRules.ts'
import { type Context, follow, type Json, type Location, type Resolved } from './walk.ts'

export function requireJson(root: Json, context: Context): void {
  for (const operation of operationsIn(root, context)) {
    const { node, location } = operation
    for (const answer of listResponses(operation, context))
      requireJsonIn(answer, `the answer ${answer.status}`, whyOfAnswers, context)
    if (node.requestBody === undefined) continue
    const body = follow(context, node.requestBody, location.child(['requestBody']))
    requireJsonIn(body, `the body of ${node.operationId}`, whyOfBodies, context)
  }
  for (const { name, location, types } of listMedia(root, context))
    if (types.join() !== json)
      context.report({ message: `${name} must be a post with ${json} alone: ${whyOfEvents}`, location })
}

const json = 'application/json'
const whyOfAnswers = `every answer is the envelope as ${json}, which clients, the guard and the mock read alike; answer 200 with data`
const whyOfBodies = 'every field is bounded and checked by its schema before a handler sees it'
const whyOfEvents = 'every event is checked by its schema before it is sent'

function requireJsonIn({ node, location }: Resolved, what: string, why: string, context: Context): void {
  const types = Object.keys((node.content ?? {}) as Json)
  const tell = (is: string, at: Location) =>
    context.report({ message: `${what} ${is}, which is not supported: ${why}`, location: at })
  if (types.length === 0) tell('is empty', location)
  for (const type of types) if (type !== json) tell(`is ${type}`, location.child(['content', type]))
}
