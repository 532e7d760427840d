/** What a DATABASE_URL may name. */
import { expect, it } from 'vitest'
import { findPlace, serverUrls } from '../../../src/store/engine/postgres/serverUrls.ts'

it.each([
  ['one host', 'postgres://me:pw@db/x?sslmode=require', ['postgres://me:pw@db/x?sslmode=require']],
  ['a socket', 'postgres:///x?host=/run/postgresql', ['postgres:///x?host=/run/postgresql']],
  [
    'several, with what belongs to all of them',
    'postgresql://me:p%40w@a:5433,b,[::1]:5434/x?target_session_attrs=read-write',
    [
      'postgresql://me:p%40w@a:5433/x?target_session_attrs=read-write',
      'postgresql://me:p%40w@b/x?target_session_attrs=read-write',
      'postgresql://me:p%40w@[::1]:5434/x?target_session_attrs=read-write',
    ],
  ],
  ['a comma in the password', 'postgres://me:p,w@a/x', ['postgres://me:p,w@a/x']],
  ['an empty host among several', 'postgres://me@a,,b/x', []],
  ['a port that is none', 'postgres://me@a:80000,b/x', []],
  ['hosts in two places', 'postgres://me@a,b/x?host=c', []],
  ['hosts in the other place', 'postgres:///x?host=a,b', []],
  ['a server that only reads', 'postgres://me@a,b/x?target_session_attrs=standby', []],
  ['another database', 'mysql://me@a/x', []],
])('%s', (_title, text, urls) => {
  expect(serverUrls(text)).toEqual(urls)
})

it('a host is where its URL leads', () => {
  expect(serverUrls('postgres://me@a:5433,b,[::1]:5434/x').map(findPlace)).toEqual([
    { host: 'a', port: 5433 },
    { host: 'b', port: 5432 },
    { host: '::1', port: 5434 },
  ])
})
