/** The fields of a body that ask for more than their schema says. */
import type { BodyField } from '../../contract/facts.ts'
import type { Caller } from '../../domain/access/authentication.ts'
import type { ErrorDetail } from '../../kit/problem.ts'
import { requireScope } from './admission.ts'

/** @param body as it came: a validator fills in defaults, which exclude nothing */
export function excludedFields(fields: readonly BodyField[], body: unknown): ErrorDetail[] {
  return fields
    .filter(({ name }) => has(body, name))
    .flatMap(({ name, excludes }) =>
      excludes
        .filter((other) => has(body, other))
        .map(
          (other) => ({ field: `/${other}`, code: 'excluded', message: `must be left out beside /${name}` }) as const,
        ),
    )
}

/** @throws Problem `insufficient_scope` */
export function requireScopesOf(fields: readonly BodyField[], body: unknown, caller: Caller): void {
  for (const { name, requiredScope } of fields)
    if (requiredScope !== undefined && has(body, name)) requireScope(caller, requiredScope)
}

function has(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
}
