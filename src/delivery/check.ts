/** Asks the providers of an account's connections whether what is configured is good. */

import { type Actor, requireRole } from '../domain/access/actor.ts'
import type { Connections } from '../domain/channels/connection.ts'
import type { CheckConnections, CheckedConnection, CheckLimits } from '../domain/channels/connectionCheck.ts'
import { readConnection } from '../domain/channels/connectionUse.ts'
import { findMissingReports } from '../domain/channels/missingReports.ts'
import type { Templates } from '../domain/templates/template.ts'
import { inTime } from '../kit/inTime.ts'
import type { Runtime } from '../kit/runtime.ts'
import { type Connection, findConnections } from '../store/channels/connection.ts'
import type { Commit } from '../store/engine/commit.ts'
import type { Template } from '../store/template.ts'
import type { Channel, ChannelParts, Finding, Kinds } from './channel.ts'

export interface ConnectionCheckParts extends Pick<ChannelParts, 'publicUrl' | 'log'> {
  runtime: ChannelParts['runtime'] & Pick<Runtime, 'internalErrors'>
  commit: Commit
  connections: Connections
  templates: Templates
  kinds: Kinds
}

export function createCheck(parts: ConnectionCheckParts): CheckConnections {
  return (actor, accountId, limits) => checkConnections(parts, actor, accountId, limits)
}

async function checkConnections(
  parts: ConnectionCheckParts,
  actor: Actor,
  accountId: string,
  { withinMs, template }: CheckLimits = {},
): Promise<CheckedConnection[]> {
  requireRole(actor, template === undefined ? 'owner' : 'developer', accountId)
  const [list = []] = await findConnections(parts.commit.reader, [accountId])
  if (template === undefined) {
    const templates = await parts.templates.list(actor, accountId)
    return Promise.all(list.map((row) => checked(parts, row, { templates, withinMs })))
  }
  const found = await parts.templates.find(actor, accountId, template)
  const able = list.filter(({ kind }) =>
    Object.values(found.locales).some(({ channels }) => Object.hasOwn(channels, kind)),
  )
  const all = await Promise.all(able.map((row) => checked(parts, row, { templates: [found], withinMs })))
  return all.map(({ findings, ...one }) => ({ ...one, findings: aboutTemplate(findings) }))
}

/** Where nothing is said of the template, something else is wrong. */
function aboutTemplate(findings: Finding[]): Finding[] {
  const own = findings.filter((finding) => finding.template !== undefined)
  return own.length > 0 ? own : findings
}

interface Scope {
  templates: readonly Template[]
  withinMs: number | undefined
}

async function checked(parts: ConnectionCheckParts, row: Connection, scope: Scope): Promise<CheckedConnection> {
  const findings = await findFindings(parts, row, scope)
  return { id: row.id, kind: row.kind, findings: [...findings, ...reportFindings(row, parts.runtime.now())] }
}

function reportFindings(row: Connection, now: Date): Finding[] {
  const missing = findMissingReports(row, now)
  if (!missing) return []
  const { messages, since } = missing
  const text = `no report came since ${since.toISOString()}, of ${messages} ${messages === 1 ? 'message' : 'messages'}`
  return [{ level: 'warning', text: `${text}: see that the provider knows the address of the reports` }]
}

export interface OpenAloneParts extends Pick<ConnectionCheckParts, 'kinds' | 'publicUrl' | 'runtime' | 'log'> {
  connections: Pick<Connections, 'open'>
}

/** Opens a connection for what is asked of it here: it is to be closed. @returns none where no request is needed; or why it cannot be used */
export function openAlone(
  { connections, kinds, publicUrl, runtime, log }: OpenAloneParts,
  row: Connection,
): { channel: Channel | undefined } | { unusable: string } {
  const found = readConnection({ kinds, open: connections.open }, row)
  if ('unusable' in found) return { unusable: found.inFull }
  if (kinds[row.kind]?.isLocal) return { channel: undefined }
  const { accountId, id: connection } = row
  const { kind, settings, reportToken } = found
  return { channel: kind.open(settings, { accountId, connection, publicUrl, reportToken, runtime, log }) }
}

async function findFindings(
  parts: ConnectionCheckParts,
  row: Connection,
  { templates, withinMs }: Scope,
): Promise<Finding[]> {
  const opened = openAlone(parts, row)
  if ('unusable' in opened) return [{ level: 'bad', text: opened.unusable }]
  const { accountId, id: connection } = row
  const { channel } = opened
  if (!channel) return [nobodyToAsk]
  try {
    const own = templates
      .flatMap(({ slug, locales }) => Object.values(locales).map(({ channels }) => ({ slug, channels })))
      .filter(({ channels }) => Object.hasOwn(channels, row.kind))
      .map(({ slug, channels }) => ({ slug, settings: channels[row.kind] }))
    const findings = parts.runtime.internalErrors.guard(
      'check',
      { account: accountId, connection },
      { work: () => channel.check?.(own) ?? [nothingToAsk], instead: () => [failedHere] },
    )
    if (withinMs === undefined) return await findings
    return await inTime(findings, withinMs, () => [
      { level: 'bad', text: `no answer within ${withinMs / 1000} seconds` },
    ])
  } finally {
    await channel.close?.()
  }
}

const failedHere: Finding = { level: 'bad', text: 'an error of this service, not of the provider: see its log' }
const nobodyToAsk: Finding = { level: 'good', text: 'no request is needed' }
const nothingToAsk: Finding = { level: 'good', text: 'settings taken; it can be tried with a message only' }
