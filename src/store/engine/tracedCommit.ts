/** Commits as parts of traces: each request that shares one has a span of it, which is linked to the others. */
import type { OpenSpan, Tracing } from '../../kit/tracing.ts'
import type { Commit, DraftKind } from './commit.ts'

interface Carried<Draft> {
  draft: Draft
  /** Undefined: nobody traces it. */
  trace: string | undefined
  span?: OpenSpan | undefined
}

/** Links that a span has at most; a group has no more members as a rule. */
const linksMax = 64

export function traceCommits(commit: Commit, tracing: Tracing): Commit {
  if (!tracing.isOn) return commit
  return {
    ...commit,
    share: <Draft, Outcome>({ conflictOf, ownerOf, isIsolated, weigh, work, ...rest }: DraftKind<Draft, Outcome>) => {
      const submit = commit.share<Carried<Draft>, Outcome>({
        ...rest,
        ...(conflictOf && { conflictOf: ({ draft }) => conflictOf(draft) }),
        ...(ownerOf && { ownerOf: ({ draft }) => ownerOf(draft) }),
        ...(isIsolated && { isIsolated: ({ draft }) => isIsolated(draft) }),
        ...(weigh && { weigh: ({ draft }) => weigh(draft) }),
        work: (tx, group) => {
          beginAll(group, tracing)
          return work(
            tx,
            group.map(({ draft }) => draft),
          )
        },
      })
      return async (draft: Draft) => {
        const carried: Carried<Draft> = { draft, trace: tracing.current() }
        try {
          const outcome = await submit(carried)
          carried.span?.finish()
          return outcome
        } catch (error) {
          carried.span?.finish({ failed: true })
          throw error
        }
      }
    },
  }
}

function beginAll(group: Carried<unknown>[], tracing: Tracing): void {
  const traced = group.filter(({ trace }) => trace !== undefined)
  for (const member of traced) {
    // It was tried before, with others.
    member.span?.finish({ failed: true })
    const links = traced.flatMap((other) => (other === member ? [] : other.trace!)).slice(0, linksMax)
    const attributes = { 'watchword.commit.members': group.length }
    member.span = tracing.begin({ name: 'commit', parent: member.trace, links, attributes })
  }
}
