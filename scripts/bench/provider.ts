/** A provider as the simulator has it, in a process of its own, and the connection of an account to it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { standardOptions } from '../../src/simulator/options.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import type { SlownessSettings } from '../../src/simulator/slowness.ts'
import { freePort } from '../../test/support/port.ts'

export interface Order {
  /** Where the reports of WhatsApp go. */
  webhook?: string
  slowness?: SlownessSettings | null
}

/** The first message of the simulator. */
export interface Opened {
  url: string
  sms: ReturnType<Simulator['sms']>
}

export interface Provider {
  pid: number
  /** What the process needs in its environment that gets the reports. */
  settings: Record<string, string>
  /**
   * Writes the list of connections, as a file of YAML.
   *
   * @param perSecond messages at most; as many as the provider lets anybody send when left out
   * @returns its path
   */
  channelsAt: (perSecond?: number) => Promise<string>
  /** @param settings null ends it */
  slow: (settings: SlownessSettings | null) => Promise<void>
  end: () => void
}

export type ProviderKind = keyof typeof connections

/** @param folder gets the lists of connections */
export async function startProvider(kind: ProviderKind, folder: string): Promise<Provider> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'simulated.ts'))
  const [opened] = (await once(child, 'message')) as [Opened]
  const order = async (given: Order) => {
    child.send(given)
    await once(child, 'message')
  }
  // Known before the process is there: each SMS tells it to its provider.
  const port = String(await freePort())
  const publicUrl = `http://127.0.0.1:${port}`
  await order({ webhook: `${publicUrl}/providers/acct_default/${kind}` })
  return {
    pid: child.pid!,
    settings: { PORT: port, PUBLIC_URL: publicUrl },
    channelsAt: async (perSecond) => {
      const file = join(folder, `channels-${perSecond ?? 'all'}.yaml`)
      await writeFile(file, JSON.stringify([{ id: kind, kind, ...connections[kind](opened, perSecond) }]))
      return file
    },
    slow: (slowness) => order({ slowness }),
    end: () => child.disconnect(),
  }
}

/** Messages a second: as many as Meta lets anybody send by one number. */
const whatsappMax = 1000
const { whatsappToken, appSecret, verifyToken, businessAccountId, phoneNumberIds } = standardOptions

/** The members of an entry, by the kind of the connection. */
const connections = {
  whatsapp: ({ url }: Opened, perSecond = whatsappMax) => ({
    ...{ phone_number_id: phoneNumberIds[0], business_account_id: businessAccountId },
    ...{ access_token: whatsappToken, app_secret: appSecret, verify_token: verifyToken },
    ...{ code_template: { name: 'auth_copy_code', language: 'en_US' }, per_second: perSecond, base_url: url },
  }),
  // Twilio: each report comes alone, as a form with a signature.
  sms: ({ sms: { base_url, settings } }: Opened, perSecond?: number) => ({
    ...{ provider: smsProvider, account_sid: 'AC00000000000000000000000000000000', from: '+15005550006' },
    ...{ base_url, ...settings, ...(perSecond !== undefined && { per_second: perSecond }) },
  }),
}

export const smsProvider = 'twilio'
