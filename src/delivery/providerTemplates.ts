/** Asks the provider of a connection for the templates that it has. */
import { requireRole } from '../domain/access/actor.ts'
import { type ListProviderTemplates, noConnection } from '../domain/templates/providerTemplate.ts'
import { Refusal } from '../kit/refusal.ts'
import { findConnections } from '../store/channels/connection.ts'
import { type ConnectionCheckParts, openAlone } from './check.ts'

export function createListProviderTemplates(parts: Omit<ConnectionCheckParts, 'templates'>): ListProviderTemplates {
  return async (actor, accountId, connection) => {
    requireRole(actor, 'developer', accountId)
    const [list = []] = await findConnections(parts.commit.reader, [accountId])
    const row = list.find(({ id }) => id === connection)
    if (!row) throw noConnection(connection)
    const opened = openAlone(parts, row)
    if ('unusable' in opened) throw new Refusal(`The channel ${connection} cannot be used: ${opened.unusable}.`)
    const { channel } = opened
    try {
      if (!channel?.templates) throw new Refusal(`A channel of the kind ${row.kind} has no templates at its provider.`)
      const found = await channel.templates()
      if ('fault' in found) throw new Refusal(`The templates of ${connection} could not be read: ${found.fault}.`)
      return found.templates
    } finally {
      await channel?.close?.()
    }
  }
}
