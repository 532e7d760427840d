/** The phones' owners: who waits for a message gets it as soon as the simulated provider has it. */
import type { MessageView } from '../../src/simulator/phones.ts'
import type { Findings } from './findings.ts'

export interface Mailbox {
  /** For the simulator. */
  deliver: (phone: string, message: Pick<MessageView, 'id' | 'code'>) => void
  /** @returns undefined when none comes within that time, or the mailbox is closed */
  codeFor: (phone: string, withinMs: number) => Promise<string | undefined>
  /** @returns the simulator's id of a notification; undefined like that */
  notificationFor: (phone: string, withinMs: number) => Promise<string | undefined>
  close: () => void
}

export function createMailbox(findings: Findings): Mailbox {
  const [codes, notifications] = [createShelf(), createShelf()]
  return {
    deliver: (phone, { id, code }) => {
      if (code === undefined) return notifications.put(phone, id)
      const before = codes.get(phone)
      if (before !== undefined && before !== code) findings.add('a phone got different digits', phone)
      codes.put(phone, code)
    },
    codeFor: codes.wait,
    notificationFor: notifications.wait,
    close: () => {
      for (const shelf of [codes, notifications]) shelf.close()
    },
  }
}

/** The last of what came for each phone. */
function createShelf() {
  const there = new Map<string, string>()
  const waiting = new Map<string, (one: string | undefined) => void>()
  let isClosed = false
  const tell = (phone: string, one: string | undefined) => {
    waiting.get(phone)?.(one)
    waiting.delete(phone)
  }
  return {
    get: (phone: string) => there.get(phone),
    put: (phone: string, one: string) => {
      there.set(phone, one)
      tell(phone, one)
    },
    wait: (phone: string, withinMs: number): Promise<string | undefined> =>
      new Promise((resolve) => {
        const one = there.get(phone)
        if (one !== undefined || isClosed) return resolve(one)
        const timer = setTimeout(() => tell(phone, undefined), withinMs)
        waiting.set(phone, (come) => {
          clearTimeout(timer)
          resolve(come)
        })
      }),
    close: () => {
      isClosed = true
      for (const phone of [...waiting.keys()]) tell(phone, undefined)
    },
  }
}
