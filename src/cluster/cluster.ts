/** A process of a start that has several: the one that starts the others, or one of these. */
import cluster from 'node:cluster'
import type { ProcessParts } from './processParts.ts'

/** Each loads its own part alone. */
export async function startProcess(parts: ProcessParts): Promise<void> {
  if (cluster.isPrimary) {
    const { startPrimary } = await import('./primary.ts')
    return startPrimary(parts)
  }
  const { startMember } = await import('./member.ts')
  return startMember(parts)
}
