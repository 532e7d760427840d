/** Asks the provider of a connection for the templates that it has. */
import { requireRole } from '../domain/access/actor.ts'
import {
  type ListProviderTemplates,
  noConnection,
  type ProviderTemplate,
  type TemplateUser,
} from '../domain/templates/providerTemplate.ts'
import { listUses, type ProviderTemplateName } from '../domain/templates/templateFault.ts'
import { inTime } from '../kit/inTime.ts'
import { createPlaces } from '../kit/places.ts'
import { Refusal } from '../kit/refusal.ts'
import { findConnections } from '../store/channels/connection.ts'
import type { Template } from '../store/template.ts'
import type { Kinds } from './channel.ts'
import { type ConnectionCheckParts, openAlone } from './check.ts'

/** Long lists that are read at once: of all accounts, and of one. */
const readsMax = { all: 8, ofAccount: 2 }
/** Milliseconds that one waits for its turn. */
const waitMs = 2000

export function createListProviderTemplates(parts: ConnectionCheckParts): ListProviderTemplates {
  const places = createPlaces(() => readsMax.all, readsMax.ofAccount)
  return async (actor, accountId, connection, { withinMs } = {}) => {
    requireRole(actor, 'developer', accountId)
    const [list = []] = await findConnections(parts.commit.reader, [accountId])
    const row = list.find(({ id }) => id === connection)
    if (!row) throw noConnection(connection)
    if (!(await places.take(waitMs, accountId)))
      throw new Refusal('Templates are being read for others now. Try again in a minute.')
    try {
      const found = await readTemplates(parts, row, withinMs)
      const own = await parts.templates.list(actor, accountId)
      const findUsers = createFindUsers(parts.kinds, row.kind, own)
      return found.map((one) => {
        const { faultsOf: _faultsOf, ...told } = one
        return { ...told, users: findUsers(one) }
      })
    } finally {
      places.free(accountId)
    }
  }
}

/** @throws Refusal */
async function readTemplates(
  parts: ConnectionCheckParts,
  row: Parameters<typeof openAlone>[1],
  withinMs: number | undefined,
): Promise<ProviderTemplate[]> {
  const opened = openAlone(parts, row)
  if ('unusable' in opened) throw new Refusal(`The channel ${row.id} cannot be used: ${opened.unusable}.`)
  const { channel } = opened
  try {
    if (!channel?.templates) throw new Refusal(`A channel of the kind ${row.kind} has no templates at its provider.`)
    const fault = `not all were told within ${(withinMs ?? 0) / 1000} seconds`
    const asked = channel.templates()
    const found = await (withinMs === undefined ? asked : inTime(asked, withinMs, () => ({ fault })))
    if ('fault' in found) throw new Refusal(`The templates of ${row.id} could not be read: ${found.fault}.`)
    return found.templates
  } finally {
    // What is still under way is called off.
    await channel?.close?.()
  }
}

/** The account's templates that are sent with each, with what does not fit. */
function createFindUsers(kinds: Kinds, kind: string, own: readonly Template[]) {
  const nameOf = kinds[kind]?.templateName
  // By their names: of long lists on both sides, each one is not compared with each.
  const usesOf = Map.groupBy(nameOf ? listUses(own, kind, nameOf) : [], keyOf)
  return ({ faultsOf, ...named }: ProviderTemplate): TemplateUser[] =>
    [...Map.groupBy(usesOf.get(keyOf(named)) ?? [], ({ slug }) => slug)].map(([slug, uses]) => ({
      slug,
      faults: [...new Set(uses.flatMap(({ said }) => faultsOf(said) ?? []))],
    }))
}

function keyOf({ name, language }: ProviderTemplateName): string {
  return `${name} ${language}`
}
