/** What the one operations port of several processes asks of them. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AskProcess, MemberCalls } from '../../../src/process/cluster/line.ts'
import { createOperations } from '../../../src/process/cluster/primary.ts'
import { createTotals } from '../../../src/process/cluster/totals.ts'

type Answers = Partial<Record<keyof MemberCalls, () => Promise<unknown>>>

function operationsOn(processes: Answers[]) {
  const lines = processes.map((answers, at) => [at, (name: keyof MemberCalls) => answers[name]!()] as const)
  const serving = new Map(lines) as unknown as Map<number, AskProcess<MemberCalls>>
  const totals = createTotals(() => ({ serving: serving.size, starting: 0 }))
  return createOperations({ serving: () => serving }, totals)
}

const fails = () => Promise.reject(new Error('the database is away'))

describe('the operations port of several processes', () => {
  it('outlives that none of them can read what a sandbox phone has', async () => {
    const unnoticed: unknown[] = []
    const note = (reason: unknown) => unnoticed.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const { sandboxMessages } = operationsOn([{ sandboxMessages: fails }, { sandboxMessages: fails }])
    await expect(sandboxMessages('14155550100')).rejects.toThrow('the database is away')
    // Node tells of such failures before it turns to anything else.
    await new Promise(setImmediate)
    expect(unnoticed).toEqual([])
  })

  it('asks one of them what a sandbox phone has', async () => {
    const asked: string[] = []
    const answer = (name: string) => async () => {
      asked.push(name)
      return []
    }
    const { sandboxMessages } = operationsOn([
      { sandboxMessages: answer('first') },
      { sandboxMessages: answer('second') },
    ])
    expect(await sandboxMessages('14155550100')).toEqual([])
    expect(asked).toEqual(['first'])
  })
})
