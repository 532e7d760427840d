/** The settings of the database. `config.ts` reads them. */
import { accessSync, constants } from 'node:fs'
import { z } from 'zod'
import type { DatabaseSettings } from '../store/engine/connect.ts'
import { serverUrls } from '../store/engine/postgres/serverUrls.ts'

/** Connections to the database where nobody said how many: of all processes, but not less for each than that. */
const [connectionsStandard, connectionsEach] = [20, 10]
const connectionsEachMin = 2
/** Parameters of the URL that name files, as libpq's do. */
const files = ['sslrootcert', 'sslcert', 'sslkey']
/** The driver would take another word for one of these. */
const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

export const databaseUrl = z.string().superRefine((text, context) => {
  const message = findFault(text)
  if (message) context.addIssue({ code: 'custom', message })
})

/** Nothing of the URL is repeated but the name of a file: it may hold a password. */
function findFault(text: string): string | undefined {
  if (text.trim() !== text) return 'must have no blank at its beginning or end'
  const urls = serverUrls(text)
  if (isUnencoded(text, urls.length === 0)) {
    return 'must have these percent-encoded in user name and password: / as %2F, # as %23, ? as %3F, % as %25, @ as %40'
  }
  if (urls.length === 0) {
    return (
      'must be a postgres:// URL; it may have several hosts, separated by commas, and no target_session_attrs ' +
      'but read-write and primary'
    )
  }
  const { searchParams } = new URL(urls[0]!)
  const tlsMode = searchParams.get('sslmode')
  if (tlsMode !== null && !tlsModes.includes(tlsMode))
    return `must have one of these for sslmode: ${tlsModes.join(', ')}`
  if (tlsMode === 'verify-ca' && searchParams.get('uselibpqcompat') === 'true' && !searchParams.get('sslrootcert'))
    return 'must name the file of a certificate authority in sslrootcert for sslmode=verify-ca'
  const unread = files.map((name) => [name, searchParams.get(name)] as const).find(([, path]) => path && isUnread(path))
  return unread && `must name a file in ${unread[0]} that can be read: ${unread[1]} cannot`
}

/** @param isUnusable the text is no URL of a database. Otherwise the values of its parameters may have one */
function isUnencoded(text: string, isUnusable: boolean): boolean {
  const [, user = '', rest = ''] = /^postgres(?:ql)?:\/\/((?:[^/?#]*@)?)[^/?#]*(.*)$/s.exec(text) ?? []
  const before = isUnusable ? rest : rest.replace(/=.*/s, '')
  return before.includes('@') || rest.includes('#') || /%(?![0-9a-f]{2})/i.test(user)
}

function isUnread(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return false
  } catch {
    return true
  }
}

type Given = Readonly<Record<string, string | undefined>>

/** What several processes need that one does not. */
export function faultsOfSharing(given: Given, processes: number): string[] {
  // Also where `auto` comes to 1: the same settings are refused on every machine.
  if (!given.DATABASE_URL && (processes > 1 || given.PROCESSES === 'auto')) {
    return ['PROCESSES: must be 1, because the embedded database has one process; set DATABASE_URL for more']
  }
  const least = processes * connectionsEachMin
  if (processes === 1 || !(Number(given.DATABASE_CONNECTIONS) < least)) return []
  return [`DATABASE_CONNECTIONS: must be at least ${least} for ${processes} processes`]
}

interface DatabaseValues {
  DATABASE_URL?: string | undefined
  DATABASE_CONNECTIONS?: number | undefined
  DATABASE_POOLER: 'none' | 'transaction'
  DATA_DIR: string
  PROCESSES: number
}

export function readDatabase(value: DatabaseValues, isSandbox: boolean): DatabaseSettings {
  if (isSandbox) return { kind: 'memory' }
  const { DATABASE_URL: url, DATABASE_CONNECTIONS: all, DATA_DIR: dataDir, PROCESSES: processes } = value
  if (!url) return { kind: 'embedded', dataDir }
  const connections = all ?? Math.max(connectionsStandard, processes * connectionsEach)
  return {
    kind: 'postgres',
    url,
    connectionsMax: Math.floor(connections / processes),
    ...(value.DATABASE_POOLER === 'transaction' && { perTransaction: true }),
  }
}
