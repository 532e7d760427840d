/** Why a connection to the database was not made, in a sentence for the operator who can fix it. */

import { linksOf } from '../store/engine/failure.ts'

/** What Node says of a connection. It has a code; what node-postgres says of its own has a message alone. */
interface Fault extends Error {
  code?: string
  hostname?: string
  address?: string
  port?: number
  /** Where a host has several addresses, and none was reached. */
  errors?: Fault[]
}

const place = ({ address, port }: Fault) => (port === undefined ? address : `${address}:${port}`)
const container = 'In a container, localhost is the container itself.'

/** By Node's code. */
const byCode: Readonly<Record<string, (fault: Fault) => string>> = {
  ECONNREFUSED: (fault) =>
    `Nothing takes connections at ${place(fault)} (ECONNREFUSED). Is the database running, and are host and port in DATABASE_URL right? ${container}`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ENOENT: noSocket,
  EACCES: noSocket,
  ETIMEDOUT: silent,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ECONNRESET: endedEarly,
}

/** By what node-postgres says. */
const byMessage: readonly [said: RegExp, words: () => string][] = [
  [
    /does not support SSL/,
    () =>
      'The database server takes no TLS, and DATABASE_URL asks for it. Turn it on there (ssl = on), or leave sslmode out on a network that is yours alone.',
  ],
  [
    /error establishing an SSL connection/,
    () => 'What answers is no PostgreSQL. Are host and port in DATABASE_URL right?',
  ],
  [/timeout/, silent],
  [/Connection terminated/, endedEarly],
]

/** @param error one that says that the database is away @returns undefined where nothing better is known than that */
export function whyUnreachable(error: unknown): string | undefined {
  return linksOf(error)
    .map(formatWords)
    .find((words) => words !== undefined)
}

function formatWords(fault: Fault): string | undefined {
  const { code = '', message, errors: [first = fault] = [] } = fault
  if (code === '') return byMessage.find(([said]) => said.test(message))?.[1]()
  return Object.hasOwn(byCode, code) ? byCode[code]?.(first) : undefined
}

function unknownHost({ code, hostname }: Fault): string {
  return `The host of the database, ${hostname}, is not known (${code}). Is it right in DATABASE_URL? In a container, it must be on a network with the database.`
}

function noSocket({ code, address }: Fault): string {
  return `There is no socket of the database that can be used at ${address} (${code}). Is the database running, and is host in DATABASE_URL the folder of its socket?`
}

function noWay({ code, address }: Fault): string {
  return `There is no way to ${address}, the address of the database (${code}). Is the host in DATABASE_URL right, and is this machine on its network?`
}

function silent(): string {
  return 'The database does not answer. Are host and port in DATABASE_URL right, and does a firewall let this machine through?'
}

function endedEarly(): string {
  return 'The connection was ended before the database answered. Is it PostgreSQL that listens at the host and port in DATABASE_URL? Its own log may say more.'
}
