/** What an operator is told of a database that cannot be used. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import postgres from 'postgres'
import { describe, expect, inject, it, vi } from 'vitest'
import { explain } from '../../../src/process/explain.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { foreignWords } from '../../support/foreignWords.ts'
import { certificate } from '../../support/ownCa.ts'
import { freePort } from '../../support/port.ts'

const told = async (url: string) => {
  const database = await connect({ kind: 'postgres', url, connectionsMax: 2 })
  const error = await database.migrate().catch((reason: unknown) => reason)
  await database.close()
  return explain(error)
}

it.each(['require', 'verify-full'])('a certificate that is not trusted is named with its host (%s)', async (mode) => {
  const warn = vi.spyOn(process, 'emitWarning')
  const server = createServer((socket) => {
    // PostgreSQL's way to begin TLS: a question, and `S` for yes.
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S')
        new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const text = await told(`postgres://me:opensesame@localhost:${port}/x?sslmode=${mode}`)
  expect(text).toMatch(
    new RegExp(
      `^The certificate of the database server localhost:${port} is not trusted \\(unable to verify the first certificate\\)\\. `,
    ),
  )
  expect(text).toContain('sslrootcert in DATABASE_URL')
  expect(text).not.toContain('opensesame')
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
  server.close()
})

it('a database that is not UTF8 is refused, and how to make one is said', async () => {
  const server = inject('postgresUrl')
  const name = `latin_${randomBytes(6).toString('hex')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
  expect(await told(`${server}/${name}`)).toMatch(
    /^The database keeps text as LATIN1, .* must keep it as UTF8\. Make another one: createdb --encoding UTF8 /,
  )
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

it('a database that keeps bytes as they come (SQL_ASCII) is taken', async () => {
  const server = inject('postgresUrl')
  const name = `ascii_${randomBytes(6).toString('hex')}`
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`)
  const database = await connect({ kind: 'postgres', url: `${server}/${name}`, connectionsMax: 2 })
  await expect(database.migrate()).resolves.not.toThrow()
  await database.close()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

/** By SCRAM, in its two steps. */
const passwordAsked = [
  Buffer.from('R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0'),
  Buffer.from('R\0\0\0\x13\0\0\0\x0br=x,s=x,i=1'),
]

describe('a wrong setting of the database is told in words of ours, with what to do', () => {
  const own = () => new URL(`${inject('postgresUrl')}/postgres`)
  const changed = (change: (url: URL) => void) => {
    const url = own()
    change(url)
    return url.href
  }
  const inWords = (text: string | undefined) => {
    // Of the system, a code in brackets.
    expect(foreignWords(text!.replace(/\(E[A-Z_]+\)/, ''))).toEqual([])
    expect(text).not.toContain('opensesame')
    return text
  }

  it.each<[string, (url: URL) => void, RegExp]>([
    [
      'a host',
      (url) => Object.assign(url, { hostname: 'db.invalid' }),
      /^The host of the database, db\.invalid, is not/,
    ],
    ['a password', (url) => Object.assign(url, { password: 'opensesame' }), /refuses this user and password/],
    ['a role', (url) => Object.assign(url, { username: 'missing' }), /refuses this user/],
    ['a database', (url) => Object.assign(url, { pathname: '/missing' }), /^There is no such database.* Create it/],
    ['TLS', (url) => Object.assign(url, { search: 'sslmode=require' }), /^The database server takes no TLS/],
    ['a socket', (url) => Object.assign(url, { search: 'host=/none' }), /^There is no socket .* \/none\/\.s\.PGSQL/],
    ['an option', (url) => Object.assign(url, { search: 'options=-c none=1' }), /^The database refuses a setting of/],
  ])('%s', async (_what, change, words) => {
    expect(inWords(await told(changed(change)))).toMatch(words)
  })

  it('a port at which nothing is', async () => {
    const port = await freePort()
    expect(inWords(await told(`postgres://me:opensesame@127.0.0.1:${port}/x`))).toMatch(
      new RegExp(`^Nothing takes connections at 127\\.0\\.0\\.1:${port} \\(ECONNREFUSED\\)\\.`),
    )
  })

  it.each<[string, string, string | Buffer[], RegExp]>([
    ['of a web server', '', 'HTTP/1.1 400 Bad Request\r\n\r\n', /^The connection was ended before the database/],
    ['of what knows no TLS of PostgreSQL', 'sslmode=require', 'HTTP/1.1 400', /^What answers is no PostgreSQL/],
    ['that asks for a password', '', passwordAsked, /^The database asks for a password/],
    ['of one that starts', '', [failure('57P03')], /^The database is starting, .* Try again/],
  ])('an answer %s', async (_what, search, answer, words) => {
    const server = createServer((socket) => {
      const answers = typeof answer === 'string' ? [] : [...answer]
      const say = () => (typeof answer === 'string' ? socket.end(answer) : socket.write(answers.shift() ?? ''))
      socket.on('error', () => {}).on('data', say)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(inWords(await told(`postgres://me@127.0.0.1:${port}/x?${search}`))).toMatch(words)
    server.close()
  })
})

/** What a PostgreSQL says that refuses a connection. */
function failure(state: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mraw words\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
