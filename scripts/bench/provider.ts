/** WhatsApp as the simulator has it, in a process of its own, and the connections of an account to it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { standardOptions } from '../../src/simulator/options.ts'
import type { SlownessSettings } from '../../src/simulator/slowness.ts'

export interface Order {
  /** Where the reports of each `phone_number_id` go. */
  webhooks?: Record<string, string>
  slowness?: SlownessSettings | null
}

export interface Provider {
  pid: number
  /** A list of connections to it, as a file of YAML. */
  channels: string
  /** Has reports come to a service on that port. */
  reportTo: (port: number) => Promise<void>
  /** @param settings null ends it */
  slow: (settings: SlownessSettings | null) => Promise<void>
  end: () => void
}

/** A number that sends for each country of the benchmark's phones: by one number, Meta lets nobody send more than 1,000 a second. */
const numbers = [
  { id: 'wa-us', country: 'US', phoneNumberId: '1000001' },
  { id: 'wa-ca', country: 'CA', phoneNumberId: '1000002' },
]
const perSecond = 1000

/** @param folder gets the list of connections */
export async function startProvider(folder: string): Promise<Provider> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'simulated.ts'))
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const order = async (given: Order) => {
    child.send(given)
    await once(child, 'message')
  }
  const channels = join(folder, 'channels.yaml')
  const { whatsappToken, appSecret, verifyToken, businessAccountId } = standardOptions
  const list = numbers.map(({ id, country, phoneNumberId }) => ({
    ...{ id, kind: 'whatsapp', countries: [country], phone_number_id: phoneNumberId, base_url: url },
    ...{ business_account_id: businessAccountId, access_token: whatsappToken, app_secret: appSecret },
    ...{ verify_token: verifyToken, code_template: { name: 'auth_copy_code', language: 'en_US' } },
    ...{ per_second: perSecond },
  }))
  await writeFile(channels, JSON.stringify(list))
  return {
    pid: child.pid!,
    channels,
    reportTo: (port) => {
      const urlOf = (id: string) => `http://127.0.0.1:${port}/providers/acct_default/${id}`
      return order({ webhooks: Object.fromEntries(numbers.map(({ id, phoneNumberId }) => [phoneNumberId, urlOf(id)])) })
    },
    slow: (slowness) => order({ slowness }),
    end: () => child.disconnect(),
  }
}
