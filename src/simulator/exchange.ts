/** What a hand-over comes to, on any wire: the fault that its phone has decides on the answer, and on the reports. */
import type { Chaos } from './chaos.ts'
import { type Behaviour, faultNameOf, findFault, type WireName, well } from './faults.ts'
import type { Pending } from './pending.ts'
import type { Draft, HandOver, Phones } from './phones.ts'
import type { Posted } from './poster.ts'
import type { Reply } from './reply.ts'
import type { Change, Report, Voice } from './wire.ts'

export interface Met {
  /** The fault's name. */
  name: string
  behaviour: Behaviour
  /** Whether it met this request by chance. */
  random: boolean
}

export interface Exchange {
  /** What a phone's next request meets. */
  meet: (wire: WireName, phone: string) => Met
  /** Whether a message is refused now. */
  isRefused: (met: Met, draft: Pick<Draft, 'wire' | 'phone' | 'reference'>) => boolean
  handOver: (draft: Draft, voice: Voice) => Reply
  /** A message gets another status, which is reported. */
  tell: (message: HandOver, change: Change, report: Report) => Promise<Posted | undefined>
}

export interface ExchangeParts {
  phones: Phones
  chaos: Chaos
  pending: Pending
  /** Milliseconds before each report. */
  reportAfterMs: number
}

const earlyMs = 3000

export function createExchange({ phones, chaos, pending, reportAfterMs }: ExchangeParts): Exchange {
  const meet: Exchange['meet'] = (wire, phone) => {
    const set = phones.faultSet(phone, wire)
    const own = set ?? faultNameOf(phone)
    const drawn = own === 'delivered' && set === undefined ? chaos.draw(wire, phone) : undefined
    const name = drawn ?? own
    const behaviour = findFault(name)?.[wire]
    return { name: behaviour ? name : 'delivered', behaviour: behaviour ?? well, random: drawn !== undefined }
  }
  const isRefused: Exchange['isRefused'] = ({ behaviour: { refusal } }, { wire, phone, reference = '' }) =>
    refusal !== undefined && (!refusal.once || phones.isFirst(phone, `${wire} ${reference}`))

  return {
    meet,
    isRefused,
    handOver: (draft, voice) => {
      const met = meet(draft.wire, draft.phone)
      const { name, behaviour } = met
      if (behaviour.refusal && isRefused(met, draft)) {
        const { code, status } = behaviour.refusal
        phones.refuse(draft, name, code)
        return voice.refuse(code, status)
      }
      const { fate, manner } = behaviour
      if (fate && !behaviour.taken) {
        phones.refuse(draft, name, fate)
        return { status: 500, fate }
      }
      const message = phones.take(draft, name)
      // From now on, so that who waits for all reports waits for these too.
      const done = pending.begin()
      const unfold = () => unfoldReports(message, behaviour, voice.report).finally(done)
      const reply = { ...voice.accept(message), fate }
      if (manner !== 'early') return { ...reply, after: unfold }
      // No longer than who asked would wait for an answer.
      return { ...reply, before: () => Promise.race([unfold(), pending.wait(earlyMs)]) }
    },
    tell: (message, change, report) => {
      const done = pending.begin()
      phones.mark(message, change.status)
      return report(message, change).finally(done)
    },
  }

  /** One after the other: each when the one before was answered, or given up. */
  async function unfoldReports(message: HandOver, behaviour: Behaviour, report: Report): Promise<void> {
    const { reports, failure, manner } = behaviour
    // What was to be refused the first time is well the next time.
    for (const status of behaviour.refusal ? well.reports : reports) {
      if (!(await pending.wait(reportAfterMs))) return
      phones.mark(message, status)
      const change = { status, code: failure, manner }
      await report(message, change)
      if (manner === 'twice') await report(message, change)
    }
  }
}
