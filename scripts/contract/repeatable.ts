/** The operations that take an `Idempotency-Key`, so that a repeat gets the kept answer. */
import type { OperationId } from '../../src/contract/operation.ts'
import { documentedAnswers } from './documented.ts'

interface Repeatable {
  operationId: OperationId
  /** The first of its successes that may be marked as a repeat. */
  example: string
}

export const repeatableOperations: readonly Repeatable[] = Array.from(
  Map.groupBy(
    documentedAnswers().filter(({ response }) => 'Idempotent-Replayed' in response.headers),
    ({ operationId }) => operationId,
  ),
  ([operationId, answers]) => ({ operationId, example: answers.find(({ status }) => status === '200')!.exampleName }),
)
