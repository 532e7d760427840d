/** What container runtimes put into an environment, and leave in it, beside what an operator set. */
import type { z } from 'zod'
import { secretsIn } from './secretFile.ts'

/**
 * Kubernetes sets `DASHBOARD_PORT=tcp://10.96.0.5:80` in each pod beside a Service named `dashboard`, unless the pod has
 * `enableServiceLinks: false`. No port of ours is written like that.
 */
export function isServiceLink(name: string, value = ''): boolean {
  return name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value)
}

/** @returns a line for each fault of a setting. A secret that has quotes around it and is long enough is taken as it is */
export function faultsOfForms(
  issues: readonly z.core.$ZodIssue[],
  given: Record<string, string | undefined>,
  forms: Readonly<Record<string, z.ZodType>>,
): string[] {
  const faults = new Map(issues.map(({ path, message }) => [path.join('.'), message]))
  const secrets = secretsIn(forms)
  for (const name of Object.keys(forms)) {
    const fault = leftIn(given[name])
    if (fault && (faults.has(name) || !secrets.includes(name))) faults.set(name, fault)
  }
  return Array.from(faults, ([name, fault]) => `${name}: ${fault}`)
}

/** What a shell and Compose take off. */
function leftIn(value = ''): string | undefined {
  if (/^(["']).*\1$/s.test(value)) return 'must have no quotes around it: docker run --env-file and kubectl keep them'
  return value.endsWith('\r')
    ? 'must not end with a carriage return: save the file with the line ends of Unix'
    : undefined
}
