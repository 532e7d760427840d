/** Examples of a request and of its answer that have one name: mocks like Microcks answer the one with the other. */
import { operationsIn } from './answers.ts'
import { type Context, follow, type Json } from './walk.ts'

export function requirePairs(root: Json, context: Context): void {
  for (const { node, location, answers } of operationsIn(root, context)) {
    const body = follow(context, node.requestBody, location.child(['requestBody']))
    const content = (body.node.content as Json | undefined)?.['application/json'] as Json | undefined
    if (content === undefined) continue
    const requests = namesOf(content)
    const answered = answers.flatMap((answer) => (answer.status.startsWith('2') ? namesOf(answer.content) : []))
    if (requests.some((name) => answered.includes(name))) continue
    const message = `no example of this body has the name of its answer: name one of them ${answered.join(' or ')}`
    context.report({ message, location: body.location.child(['content', 'application/json', 'examples']) })
  }
}

const namesOf = ({ examples = {} }: Json): string[] => Object.keys(examples as Json)
