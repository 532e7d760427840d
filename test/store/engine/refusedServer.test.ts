/** What an operator is told of a database that cannot be used. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import postgres from 'postgres'
import { expect, inject, it, vi } from 'vitest'
import { explain } from '../../../src/process/explain.ts'
import { connect } from '../../../src/store/engine/connect.ts'
import { certificate } from '../../support/ownCa.ts'

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
      `^The certificate of the database server localhost:${port} is not trusted: unable to verify the first cert`,
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
