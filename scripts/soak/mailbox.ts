/** The phones' owners: who waits for a code gets it as soon as the simulated provider has it. */
import type { MessageView } from '../../src/simulator/phones.ts'
import type { Findings } from './findings.ts'

export interface Mailbox {
  /** For the simulator. */
  deliver: (phone: string, message: Pick<MessageView, 'code'>) => void
  /** @returns undefined when none comes within that time, or the mailbox is closed */
  codeFor: (phone: string, withinMs: number) => Promise<string | undefined>
  close: () => void
}

export function createMailbox(findings: Findings): Mailbox {
  const codes = new Map<string, string>()
  const waiting = new Map<string, (code: string | undefined) => void>()
  let isClosed = false
  const tell = (phone: string, code: string | undefined) => {
    waiting.get(phone)?.(code)
    waiting.delete(phone)
  }
  return {
    deliver: (phone, { code }) => {
      if (code === undefined) return
      const before = codes.get(phone)
      if (before !== undefined && before !== code) findings.add('a phone got different digits', phone)
      codes.set(phone, code)
      tell(phone, code)
    },
    codeFor: (phone, withinMs) =>
      new Promise((resolve) => {
        const code = codes.get(phone)
        if (code !== undefined || isClosed) return resolve(code)
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
