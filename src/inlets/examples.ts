/** Runs the examples in the file of a kind: each gives what it says, or it is named. */
import { isDeepStrictEqual } from 'node:util'
import type { PlacedFault } from '../kit/reading/formFaults.ts'
import { compileAnswers } from './answer.ts'
import type { KindFile } from './kindSchema.ts'
import { compileTake } from './take.ts'

type Example = KindFile['examples'][number]
type PostExample = Extract<Example, { post: unknown }>
type AnswerExample = Extract<Example, { outcome: unknown }>

/** @returns what is wrong, with the members that lead to it */
export function kindExampleFaults(file: KindFile): PlacedFault[] {
  return file.examples.flatMap((example, index) => {
    const [member, fault] =
      'post' in example ? ['takes', postFault(file, example)] : ['answers', answerFault(file, example)]
    return fault === undefined ? [] : [{ path: ['examples', index, member], fault }]
  })
}

function postFault(file: KindFile, { settings, post, takes }: PostExample): string | undefined {
  const headers = Object.fromEntries(Object.entries(post.headers).map(([name, text]) => [name.toLowerCase(), text]))
  const body = Buffer.from(typeof post.body === 'string' ? post.body : JSON.stringify(post.body))
  const read = compileTake(file, settings)({ headers, body })
  const taken = 'lacks' in read ? 'unreadable' : read
  return isDeepStrictEqual(taken, takes) ? undefined : `${JSON.stringify(taken)} is taken`
}

/** What the example does not name is not compared. */
function answerFault(file: KindFile, { outcome, answers }: AnswerExample): string | undefined {
  const made = compileAnswers(file)(outcome)
  if (!made) return 'the file has no answer to that: it is the usual one'
  const { status, type, text } = made
  const body = text === '' ? undefined : type === 'application/json' ? (JSON.parse(text) as unknown) : text
  const got: Record<string, unknown> = { status, type, body }
  const wrong = Object.entries(answers).filter(([name, value]) => !isDeepStrictEqual(got[name], value))
  return wrong.length === 0 ? undefined : wrong.map(([name]) => `${name} is ${JSON.stringify(got[name])}`).join('; ')
}
