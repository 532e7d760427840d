/** Asks the providers of an account's connections whether what is configured is good. */
import type { Connections } from '../domain/connection.ts'
import type { Templates } from '../domain/template.ts'
import type { Commit } from '../store/commit.ts'
import { type Connection, findConnections } from '../store/connection.ts'
import type { TemplateRow } from '../store/template.ts'
import type { ChannelParts, Finding, Kinds } from './channel.ts'

export interface CheckParts extends Pick<ChannelParts, 'publicUrl' | 'runtime' | 'log'> {
  commit: Commit
  connections: Connections
  templates: Templates
  kinds: Kinds
}

export interface Checked {
  id: string
  kind: string
  findings: Finding[]
}

/** In the order of the connections. */
export async function checkConnections(parts: CheckParts, accountId: string): Promise<Checked[]> {
  const [list = []] = await findConnections(parts.commit.reader, [accountId])
  const templates = await parts.templates.list(accountId)
  return Promise.all(
    list.map(async (row) => ({ id: row.id, kind: row.kind, findings: await findingsOf(parts, row, templates) })),
  )
}

async function findingsOf(
  { connections, kinds, publicUrl, runtime, log }: CheckParts,
  row: Connection,
  templates: readonly TemplateRow[],
): Promise<Finding[]> {
  const kind = Object.hasOwn(kinds, row.kind) ? kinds[row.kind] : undefined
  if (!kind) return [{ level: 'bad', text: `this version has no kind "${row.kind}"` }]
  const opened = connections.open(row)
  if ('unusable' in opened) return [{ level: 'bad', text: opened.unusable }]
  const { data: settings, error } = kind.settings.safeParse(opened.settings)
  if (!settings) {
    const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return [{ level: 'bad', text: `this version takes other settings: ${faults.join('; ')}` }]
  }
  if (kind.isLocal) return [nobodyToAsk]
  const { accountId, id: connection } = row
  const channel = kind.open(settings, { accountId, connection, publicUrl, runtime, log })
  try {
    const own = templates
      .filter(({ channels }) => Object.hasOwn(channels, row.kind))
      .map(({ slug, channels }) => ({ slug, settings: channels[row.kind] }))
    return (await channel.check?.(own)) ?? [nothingToAsk]
  } finally {
    await channel.close?.()
  }
}

const nobodyToAsk: Finding = { level: 'good', text: 'nobody has to be asked' }
const nothingToAsk: Finding = { level: 'good', text: 'settings taken; it can be tried with a message only' }
