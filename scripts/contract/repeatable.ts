/** The operations that take an `Idempotency-Key`, so that a repeat gets the kept answer. */
import type { OperationId } from '../../src/contract/operation.ts'
import { documentedAnswers } from './documented.ts'

interface Repeatable {
  operationId: OperationId
  /** Its first success. */
  example: string
}

export const repeatableOperations: readonly Repeatable[] = Array.from(
  Map.groupBy(
    documentedAnswers().filter(({ parameters, status }) => parameters.includes('Idempotency-Key') && status === '200'),
    ({ operationId }) => operationId,
  ),
  ([operationId, [first]]) => ({ operationId, example: first!.exampleName }),
)
