/** What container runtimes put into an environment, and leave in it, beside what an operator set. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { commentFault, hasComment } from './comment.ts'
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
  given: Given,
  forms: Readonly<Record<string, z.ZodType>>,
): string[] {
  const faults = new Map(issues.map(({ path, message }) => [path.join('.'), message]))
  const secrets = secretsIn(forms)
  for (const [name, form] of Object.entries(forms)) {
    const value = given[name] ?? ''
    const fault = leftIn(value)
    if (fault && (faults.has(name) || !secrets.includes(name))) faults.set(name, fault)
    else if (isOtherByBlanks(value, form)) faults.set(name, 'must have no blank at its beginning or end')
    if (/^\$\{\w+\}$/.test(value))
      faults.set(name, 'names a variable that was not filled in: docker run --env-file keeps it as it is written')
    else if (hasComment(value) && (faults.has(name) || !(secrets.includes(name) || namesOfOthers.has(name))))
      faults.set(name, commentFault)
    if (value.includes(lost)) faults.set(name, faultOfEncoding(name, secrets.includes(name)))
  }
  return Array.from(faults, ([name, fault]) => `${name}: ${fault}`)
}

/** What other people name: a group can be called `Team #1`. Secrets and these are refused for a comment only where they are wrong. */
const namesOfOthers: ReadonlySet<string> = new Set(['OIDC_ROLES', 'OIDC_ACCOUNT'])

/** Variables that others name, which the service or a library of its own reads. */
export function faultsOfOthers(given: Given): string[] {
  const ofProxy = given.OUTBOUND_PROXY === 'env' ? ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] : []
  const read = (name: string) =>
    ofProxy.includes(name.toUpperCase()) || (given.DATABASE_URL !== undefined && /^PG[A-Z]+$/.test(name))
  const names = Object.keys(given).filter((name) => read(name) && given[name]?.includes(lost))
  return names.map((name) => `${name}: ${faultOfEncoding(name, false)}`)
}

type Given = Readonly<Record<string, string | undefined>>

/** What a shell and Compose take off. */
function leftIn(value: string): string | undefined {
  if (/^(["']).*\1$/s.test(value)) return 'must have no quotes around it: docker run --env-file and kubectl keep them'
  return value.endsWith('\r')
    ? 'must not end with a carriage return: save the file with the line ends of Unix'
    : undefined
}

/** Whether a value would be good without blanks around it, and is not, or means something else with them. */
function isOtherByBlanks(value: string, form: z.ZodType): boolean {
  if (value.trim() === value) return false
  const [read, trimmed] = [form.safeParse(value), form.safeParse(value.trim())]
  return trimmed.success && !isDeepStrictEqual(read.data, trimmed.data)
}

/** What Node has in place of bytes that are not UTF-8, without a word. */
const lost = '\ufffd'

/** Nothing of the value is repeated. */
function faultOfEncoding(name: string, isSecret: boolean): string {
  const advice = [
    ...(/(^DATABASE_URL|_PROXY)$/i.test(name) ? ['percent-encode them, as %C3%BC for ü'] : []),
    ...(isSecret ? [`put the value into a file in UTF-8 that ${name}_FILE names`] : []),
  ]
  if (advice.length === 0)
    advice.push('set it in a terminal in UTF-8 (LANG=C.UTF-8), or in a file that is saved as UTF-8')
  return `has U+FFFD in place of bytes that are not UTF-8: ${advice.join(', or ')}`
}
