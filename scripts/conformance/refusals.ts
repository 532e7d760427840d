/** Requests that any operation refuses: made of one that it takes, by whoever asks. */
import { randomUUID } from 'node:crypto'
import { bodyBytesMax } from '../../src/contract/document.ts'
import type { OperationId } from '../../src/contract/operation.ts'
import { newKey } from '../../src/domain/access/keyText.ts'
import type { Caller, Scenario } from './caller.ts'
import type { Request } from './request.ts'

/** The same request, but for what `change` gives it. */
export function but<Who, Asked extends Request>(
  scenario: Scenario<Who, Asked>,
  change: Partial<Asked> | ((caller: Who) => Promise<Partial<Asked>>),
): Scenario<Who, Asked> {
  return async (caller) => {
    const request = await scenario(caller)
    return { ...request, ...(typeof change === 'function' ? await change(caller) : change) }
  }
}

/** With a key that is missing, and one that nobody has. */
export function withBadKeys<Who>(good: Scenario<Who>) {
  return {
    missing_api_key: but(good, { key: undefined }),
    invalid_api_key: but(good, { key: newKey('test') }),
  }
}

export function withoutScope<Who extends Caller>(good: Scenario<Who>, scope: string): Scenario<Who> {
  return but(good, async (caller: Who) => ({ key: await caller.keyWithout(scope) }))
}

export function withTakenKey<Who extends Caller>(good: Scenario<Who>, operation: OperationId) {
  return {
    idempotency_key_reused: but(good, async (caller: Who) => {
      const headers = { 'Idempotency-Key': randomUUID() }
      await caller.ask(operation, { ...(await good(caller)), headers })
      return { headers }
    }),
  }
}

export function tooLarge<Who>(good: Scenario<Who>, bytesMax = bodyBytesMax) {
  return { body_too_large: but(good, { body: ' '.repeat(bytesMax + 1) }) }
}

export function compressed<Who>(good: Scenario<Who>) {
  return { unsupported_media_type: but(good, { headers: { 'Content-Encoding': 'gzip' } }) }
}
