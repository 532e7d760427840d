/** What becomes of messages and of codes, counted when it is committed. */
import { Counter, Histogram, type Registry } from 'prom-client'

export interface MessageCounters {
  /** A request that was answered with 200. `mode`: that of its key. */
  accepted: (request: { operation: string; mode: string }) => void
  moved: (move: MessageMove) => void
  /** A code was right, or a wrong one was the last that was allowed. */
  decided: (decision: { mode: string; verified: boolean }) => void
  /** A rule against SMS pumping found something of a send. */
  found: (finding: { rule: string; did: string }) => void
  /** An account was told so, once a day. */
  budgetReached: (budget: { mode: string; percent: number }) => void
}

export interface MessageMove {
  mode: string
  kind: string
  from: string
  to: string
  /** Why, when it has failed. */
  errorCode?: string | null
  /** From its request until a channel took it for the first time; undefined where that is not what happened. */
  takenAfterSeconds: number | undefined
  /** An auth system posted its code, and checks it too. */
  isPosted: boolean
}

const modes = ['live', 'test']
const kinds = ['verification', 'notification']
/** A code that a newer one replaced is no failure to be woken by. */
const superseded = 'superseded'
const ends = ['delivered', 'read', 'failed', 'expired', superseded]

export function createMessageCounters(registers: Registry[]): MessageCounters {
  const requests = new Counter({
    name: 'watchword_accepted_total',
    help: 'Requests with a key that were answered with 200, by operation and mode of the key.',
    labelNames: ['operation', 'mode'],
    registers,
  })
  const messages = new Counter({
    name: 'watchword_messages_total',
    help: 'What became of messages: taken by a channel for the first time, delivered, read, failed, expired, superseded.',
    labelNames: ['kind', 'mode', 'outcome'],
    registers,
  })
  const verifications = new Counter({
    name: 'watchword_verifications_total',
    help: 'What became of codes of the API: taken by a channel for the first time; verified, or attempts_exhausted.',
    labelNames: ['mode', 'outcome'],
    registers,
  })
  // Prometheus's client looks labels up by a text that it makes of them; these are asked for each message.
  const byMove = new Map<string, Counter.Internal>()
  // All of them at once: Prometheus sees no increase in a series that begins with its first count.
  for (const mode of modes) {
    for (const outcome of ['taken', 'verified', 'attempts_exhausted']) verifications.inc({ mode, outcome }, 0)
    for (const kind of kinds)
      for (const outcome of ['taken', ...ends]) {
        messages.inc({ kind, mode, outcome }, 0)
        byMove.set(`${kind} ${mode} ${outcome}`, messages.labels(kind, mode, outcome))
      }
  }
  const taken = measureTaken(registers)
  const found = countFindings(registers)
  const byRequest = new Map<string, Counter.Internal>()
  return {
    accepted: ({ operation, mode }) => {
      const key = `${operation} ${mode}`
      const known = byRequest.get(key) ?? requests.labels(operation, mode)
      byRequest.set(key, known)
      known.inc()
    },
    moved: ({ kind, mode, from, to, errorCode, takenAfterSeconds, isPosted }) => {
      const count = (outcome: string) => byMove.get(`${kind} ${mode} ${outcome}`)?.inc()
      if (takenAfterSeconds !== undefined) {
        count('taken')
        taken(kind, mode, takenAfterSeconds)
        if (kind === 'verification' && !isPosted) verifications.inc({ mode, outcome: 'taken' })
      }
      if (from === to) return
      // What was read has arrived, also where nobody said so before.
      if (to === 'read' && from !== 'delivered') count('delivered')
      if (ends.includes(to)) count(errorCode === superseded ? superseded : to)
    },
    found,
    budgetReached: countBudgets(registers),
    decided: ({ mode, verified }) => verifications.inc({ mode, outcome: verified ? 'verified' : 'attempts_exhausted' }),
  }
}

/** How long messages waited, wherever that was: for a worker, for a turn at their provider, or for another try. */
function measureTaken(registers: Registry[]): (kind: string, mode: string, seconds: number) => void {
  const waits = new Histogram({
    name: 'watchword_taken_seconds',
    help: 'Time from the request for a message until a channel took it for the first time.',
    labelNames: ['kind', 'mode'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600],
    registers,
  })
  const observers = new Map<string, ReturnType<typeof waits.labels>>()
  for (const mode of modes)
    for (const kind of kinds) {
      waits.zero({ kind, mode })
      observers.set(`${kind} ${mode}`, waits.labels(kind, mode))
    }
  return (kind, mode, seconds) => observers.get(`${kind} ${mode}`)?.observe(seconds)
}

/** Ids of rules that are labels. Others are what accounts write: they are counted together. */
const rules = [
  ...['kind', 'countries', 'country-day', 'country-hour', 'country-burst', 'prefix-hour', 'sequence'],
  ...['ip-hour', 'ip-day', 'ip-countries', 'user-day'],
]
const acts = ['record', 'challenge', 'block']
const otherRule = 'other'

function countFindings(registers: Registry[]): MessageCounters['found'] {
  const findings = new Counter({
    name: 'watchword_protection_total',
    help: 'Findings of rules against SMS pumping, by rule of the standard list (or other) and what it did.',
    labelNames: ['rule', 'did'],
    registers,
  })
  for (const rule of [...rules, otherRule]) for (const did of acts) findings.inc({ rule, did }, 0)
  return ({ rule, did }) => findings.inc({ rule: rules.includes(rule) ? rule : otherRule, did })
}

function countBudgets(registers: Registry[]): MessageCounters['budgetReached'] {
  const reached = new Counter({
    name: 'watchword_budgets_reached_total',
    help: 'Budgets that reached this share of their daily limit, in percent: 80, or 100 when sends are refused.',
    labelNames: ['mode', 'percent'],
    registers,
  })
  for (const mode of modes) for (const percent of [80, 100]) reached.inc({ mode, percent }, 0)
  return ({ mode, percent }) => reached.inc({ mode, percent })
}
