/** How PostgreSQL does a statement, whatever its version. */
import { inject } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'

export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** The plan for whatever parameters, as a connection of the service has it made. */
export async function planOf(opened: Database, text: string): Promise<Plan> {
  const { rows } = await opened.queueDb.executeSql(
    inject('postgresMajor') < 16 ? explainPrepared(text) : `explain (generic_plan, format json) ${text}`,
  )
  const [{ 'QUERY PLAN': explained }] = rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }]
  return explained[0].Plan
}

/** Older versions show the plan of what was prepared, and would leave out the parts of tables in which nulls are not. */
function explainPrepared(text: string): string {
  const count = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  const nulls = count > 0 ? `(${Array(count).fill('null').join(', ')})` : ''
  return `begin; set local enable_partition_pruning = off; prepare explained as ${text};
    explain (format json) execute explained${nulls}; rollback; deallocate explained`
}
