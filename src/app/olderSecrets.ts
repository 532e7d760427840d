/** At the start, what older secrets have sealed is sealed again, and an operator is told what none opens. */
import { firstConnection } from '../delivery/channels/kinds.ts'
import type { ReceiptKeys } from '../domain/access/receiptKey.ts'
import type { Authenticators } from '../domain/people/authenticator.ts'
import type { Log } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import type { Admin } from './admin.ts'

type Sealing = Pick<Admin, 'connections' | 'endpoints' | 'inlets' | 'receiptKeys'> & { authenticators: Authenticators }

export async function lookAfterSecrets(config: Config, sealing: Sealing, log: Log): Promise<void> {
  const { connections, endpoints, inlets, receiptKeys, authenticators } = sealing
  const applyAgain = 'encrypted with an unknown secret: apply its list again'
  await reseal(connections, { one: 'connection', many: 'connections', remedy: applyAgain }, log)
  for (const use of config.production ? await connections.inLiveUse(firstConnection.kind) : []) {
    log.warn(use, 'an account with live keys has a connection that reaches no phoness')
  }
  const rotate = 'encrypted with an unknown secret: rotate its secret'
  await reseal(endpoints, { one: 'endpoint', many: 'endpoints', remedy: rotate }, log)
  await reseal(inlets, { one: 'inlet', many: 'inlets', remedy: applyAgain }, log)
  const recover = 'cannot decrypt an authenticator: its WATCHWORD_SECRET is missing; use a recovery code or users reset'
  await reseal(authenticators, { one: 'user', many: 'authenticators', remedy: recover }, log)
  await lookAfterReceiptKeys(config, receiptKeys, log)
}

/** What is sealed in accounts, one by one. */
interface Sealed {
  reseal: () => Promise<{ resealed: number; unreadable: readonly { accountId: string; id: string }[] }>
}

/** Seals what older secrets have sealed again, and says what an operator has to see to. */
async function reseal(
  sealed: Sealed,
  { one, many, remedy }: { one: string; many: string; remedy: string },
  log: Log,
): Promise<void> {
  const { resealed, unreadable } = await sealed.reseal()
  if (resealed > 0) log.info({ [many]: resealed }, 'encrypted again with the first secret')
  for (const { accountId, id } of unreadable) log.error({ account_id: accountId, [one]: id }, remedy)
}

/** The same with the keys of receipts. A service that the world can reach needs some, and so does a sandbox. */
async function lookAfterReceiptKeys(
  { publicUrl, sandboxKey }: Config,
  receiptKeys: ReceiptKeys,
  log: Log,
): Promise<void> {
  const { resealed, unreadable } = await receiptKeys.ensure(publicUrl !== undefined || sandboxKey !== undefined)
  if (resealed > 0) log.info({ receipt_keys: resealed }, 'encrypted again with the first secret')
  for (const kid of unreadable) log.error({ receipt_key: kid }, 'encrypted with an unknown secret: it no longer signs')
}
