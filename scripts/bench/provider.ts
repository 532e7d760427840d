/** WhatsApp as the simulator has it, in a process of its own, and the connection of an account to it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { standardOptions } from '../../src/simulator/options.ts'
import type { SlownessSettings } from '../../src/simulator/slowness.ts'

export interface Order {
  /** Where reports go. */
  webhook?: string
  slowness?: SlownessSettings | null
}

export interface Provider {
  pid: number
  /** Writes the list of connections, as a file of YAML, for so many messages a second at most. @returns its path */
  channelsAt: (perSecond: number) => Promise<string>
  /** Has reports come to a service on that port. */
  reportTo: (port: number) => Promise<void>
  /** @param settings null ends it */
  slow: (settings: SlownessSettings | null) => Promise<void>
  end: () => void
}

/** Messages a second: as many as Meta lets anybody send by one number. */
export const perSecondMax = 1000
const connection = 'wa'
const [phoneNumberId] = standardOptions.phoneNumberIds as [string]

/** @param folder gets the lists of connections */
export async function startProvider(folder: string): Promise<Provider> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'simulated.ts'))
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const order = async (given: Order) => {
    child.send(given)
    await once(child, 'message')
  }
  const { whatsappToken, appSecret, verifyToken, businessAccountId } = standardOptions
  const listAt = (perSecond: number) => [
    {
      ...{ id: connection, kind: 'whatsapp', phone_number_id: phoneNumberId, business_account_id: businessAccountId },
      ...{ access_token: whatsappToken, app_secret: appSecret, verify_token: verifyToken },
      ...{ code_template: { name: 'auth_copy_code', language: 'en_US' }, per_second: perSecond, base_url: url },
    },
  ]
  return {
    pid: child.pid!,
    channelsAt: async (perSecond) => {
      const file = join(folder, `channels-${perSecond}.yaml`)
      await writeFile(file, JSON.stringify(listAt(perSecond)))
      return file
    },
    reportTo: (port) => order({ webhook: `http://127.0.0.1:${port}/providers/acct_default/${connection}` }),
    slow: (slowness) => order({ slowness }),
    end: () => child.disconnect(),
  }
}
