/** At the start, what older secrets have sealed is sealed anew, and an operator is told what none opens. */
import { firstConnection } from '../delivery/channels/kinds.ts'
import type { ReceiptKeys } from '../domain/access/receiptKey.ts'
import type { Connections } from '../domain/channels/connection.ts'
import type { Inlets } from '../domain/inlets/inlet.ts'
import type { Endpoints } from '../domain/webhooks/endpoint.ts'
import type { Log } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import type { Admin } from './admin.ts'

export async function lookAfterSecrets(config: Config, admin: Admin, log: Log): Promise<void> {
  await lookAfterConnections(config, admin.connections, log)
  await lookAfterEndpoints(admin.endpoints, log)
  await lookAfterInlets(admin.inlets, log)
  await lookAfterReceiptKeys(config, admin.receiptKeys, log)
}

/** Seals what older secrets have sealed anew, and says what an operator has to see to. */
async function lookAfterConnections({ production }: Config, connections: Connections, log: Log): Promise<void> {
  const { resealed, unreadable } = await connections.reseal()
  if (resealed > 0) log.info({ connections: resealed }, 'encrypted again with the first secret')
  for (const { accountId, id } of unreadable) {
    log.error({ account_id: accountId, connection: id }, 'encrypted with an unknown secret: apply its list again')
  }
  for (const use of production ? await connections.inLiveUse(firstConnection.kind) : []) {
    log.warn(use, 'an account with live keys has a connection that reaches no phone')
  }
}

/** The same with the secrets of endpoints. */
async function lookAfterEndpoints(endpoints: Endpoints, log: Log): Promise<void> {
  const { resealed, unreadable } = await endpoints.reseal()
  if (resealed > 0) log.info({ endpoints: resealed }, 'encrypted again with the first secret')
  for (const { accountId, id } of unreadable) {
    log.error({ account_id: accountId, endpoint: id }, 'encrypted with an unknown secret: rotate its secret')
  }
}

/** The same with the secrets of inlets. */
async function lookAfterInlets(inlets: Inlets, log: Log): Promise<void> {
  const { resealed, unreadable } = await inlets.reseal()
  if (resealed > 0) log.info({ inlets: resealed }, 'encrypted again with the first secret')
  for (const { accountId, id } of unreadable) {
    log.error({ account_id: accountId, inlet: id }, 'encrypted with an unknown secret: apply its list again')
  }
}

/** The same with the keys of receipts. A service that the world can reach needs some. */
async function lookAfterReceiptKeys({ publicUrl }: Config, receiptKeys: ReceiptKeys, log: Log): Promise<void> {
  const { resealed, unreadable } = await receiptKeys.ensure(publicUrl !== undefined)
  if (resealed > 0) log.info({ receipt_keys: resealed }, 'encrypted again with the first secret')
  for (const kid of unreadable)
    log.error({ receipt_key: kid }, 'encrypted with an unknown secret: it signs nothing any more')
}
