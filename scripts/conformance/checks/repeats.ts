/** What an `Idempotency-Key` promises. */
import { randomUUID } from 'node:crypto'
import type { OperationId } from '../../../src/contract/operation.ts'
import { repeatableOperations } from '../../contract/repeatable.ts'
import type { Scenario } from '../caller.ts'
import type { Check, Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { Broken, demand, demandSame, NotTried } from '../finding.ts'
import type { Answer } from '../judge.ts'
import type { Request } from '../request.ts'
import { namedScenarios, scenarios } from '../scenarios.ts'
import { numberThatIs } from '../testNumbers.ts'
import { atOnceCount } from './atOnce.ts'
import { attemptsOf, wrongCode } from './codes.ts'

const playable = namedScenarios<Deployment>(scenarios)

/** Where a good answer needs a key with a scope that few have. */
const keptRefusals: Partial<Record<OperationId, string>> = { confirmVerification: '404 verification_not_found' }

export const repeats: Suite = {
  name: 'repeats',
  checks: [
    ...repeatableOperations.map(
      ({ operationId, example }): Check => ({
        title: `${operationId}: the same key and body get the first answer, byte for byte, marked as a repeat`,
        run: async (deployment) => {
          const answer = keptRefusals[operationId] ?? `200 ${example}`
          const request = await goodRequest(deployment, `${operationId} ${answer}`)
          await repeated(deployment, operationId, request, Number.parseInt(answer, 10))
        },
      }),
    ),
    {
      title: 'an error that would come again is kept too',
      run: async (deployment) => {
        const request = await goodRequest(deployment, 'checkVerification 404 verification_not_found')
        await repeated(deployment, 'checkVerification', request, 404)
      },
    },
    {
      title: 'a refusal for now is not kept',
      run: async (deployment) => {
        const body = { phone: numberThatIs('429 `resend_cooldown` at send') }
        const request = withKey({ key: deployment.key, body })
        for (const time of ['first', 'second']) {
          const { status, headers } = await deployment.ask('sendVerification', request)
          demandSame([status, isMarked(headers)], [429, false], `the ${time} answer's status, and whether it is marked`)
        }
      },
    },
    {
      title: 'the same key with another body is refused',
      run: async (deployment) => {
        const request = withKey({ key: deployment.key, body: { phone: deployment.newPhone() } })
        await deployment.ask('sendVerification', request)
        const other = { ...request, body: { phone: deployment.newPhone() } }
        const { status, data } = await deployment.ask('sendVerification', other)
        demandSame([status, data.code], [409, 'idempotency_key_reused'], 'status and code')
      },
    },
    {
      title: `${atOnceCount} sends at once with one key are one send`,
      run: async (deployment) => {
        const body = { phone: deployment.newPhone() }
        const answers = await allAtOnce(deployment, 'sendVerification', { key: deployment.key, body })
        demandSame(new Set(answers.map(({ data }) => data.request_id)).size, 1, 'how many messages were made')
      },
    },
    {
      title: `${atOnceCount} checks at once with one key count as one attempt`,
      run: async (deployment) => {
        const request_id = await deployment.send(deployment.newPhone())
        const body = { request_id, code: wrongCode() }
        await allAtOnce(deployment, 'checkVerification', { key: deployment.key, body })
        const { data } = await deployment.check(request_id, wrongCode())
        demandSame(data.attempts_remaining, attemptsOf(6) - 2, 'attempts that are left after them and one more')
      },
    },
  ],
}

async function goodRequest(deployment: Deployment, name: string): Promise<Request> {
  const scenario: Scenario<Deployment> | undefined = playable.get(name)
  if (!scenario) throw new NotTried('nothing here knows how to ask for it yet')
  return withKey(await scenario(deployment))
}

function withKey(request: Request): Request {
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': randomUUID() } }
}

async function repeated(deployment: Deployment, id: OperationId, request: Request, status: number): Promise<void> {
  const first = await deployment.ask(id, request)
  demandSame(
    [first.status, isMarked(first.headers)],
    [status, false],
    "the first answer's status, and whether it is marked",
  )
  const again = await deployment.ask(id, request)
  demand(again.status === status && again.text === first.text, 'the repeat has another answer')
  demand(isMarked(again.headers), 'the repeat has no header Idempotent-Replayed: true')
}

/** @returns the answers, once none is told to come again: they are one answer */
async function allAtOnce(deployment: Deployment, id: OperationId, bare: Request): Promise<Answer[]> {
  const request = withKey(bare)
  const answers = await Promise.all(Array.from({ length: atOnceCount }, () => deployment.ask(id, request)))
  const last = await deployment.ask(id, request)
  const kept = answers.filter(({ status }) => status === 200)
  for (const { status, data } of answers) {
    if (status === 200 || data.code === 'idempotency_in_progress') continue
    throw new Broken(`one was answered ${status} ${data.code ?? ''}`.trim())
  }
  demand(
    [...kept, last].every(({ text }) => text === last.text),
    'not all have the same answer',
  )
  demandSame(kept.filter(({ headers }) => !isMarked(headers)).length, 1, 'how many answers are no repeats')
  return [...kept, last]
}

function isMarked(headers: Headers): boolean {
  return headers.get('idempotent-replayed') === 'true'
}
