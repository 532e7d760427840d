/** A TypeError of the service in place of what it asks, and what is to be seen of it. */

import { Agent } from 'undici'
import { expect, vi } from 'vitest'
import type { TestServer } from './server.ts'

/** Has what asks others throw, for places that are chosen by their origin: its message quotes the question, as such errors can. */
export function throwWhenAsked(isChosen: (origin: string) => boolean): { restore: () => void } {
  const { dispatch } = Agent.prototype
  const spy = vi.spyOn(Agent.prototype, 'dispatch').mockImplementation(function (this: Agent, asked, handler) {
    if (!isChosen(String(asked.origin))) return dispatch.call(this, asked, handler)
    throw new TypeError(`cannot read ${JSON.stringify(asked.headers)} of ${String(asked.body)}`)
  })
  return { restore: () => spy.mockRestore() }
}

interface Told {
  place: string
  error: { type: string; frames: string[]; cause?: Told['error'] }
}

/** What was logged of errors of the service from here on, and by how many the metric rose for that place. */
export async function watchErrors({ opsUrl, runtime }: Pick<TestServer, 'opsUrl' | 'runtime'>, place: string) {
  const count = async () => {
    const text = await (await fetch(`${opsUrl}/metrics`)).text()
    return Number(new RegExp(`^watchword_internal_errors_total\\{place="${place}"\\} (\\d+)$`, 'm').exec(text)?.[1])
  }
  const [from, before] = [runtime.lines.length, await count()]
  return {
    /** Fails unless each was logged with its stack, and nothing of what `secrets` has, nor an outage of others. */
    expect: async (times: number, secrets: readonly string[]): Promise<void> => {
      const lines = runtime.lines.slice(from)
      const told = lines
        .map((line) => JSON.parse(line) as Told & { level: number; msg: string })
        .filter((one) => one.msg === 'an error of this service' && one.place === place)
      expect([told.length, (await count()) - before]).toEqual([times, times])
      for (const one of told) {
        const { error } = one
        expect(one.level).toBe(50)
        expect((error.cause ?? error).type).toBe('TypeError')
        expect((error.cause ?? error).frames).toContainEqual(expect.stringMatching(/^at .+:\d+:\d+\)?$/))
      }
      const all = lines.join('')
      expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
      expect(all).not.toMatch(
        /could not be asked|not found|cannot be reached|no connection|accepts no traces|not let somebody in/,
      )
    },
  }
}
