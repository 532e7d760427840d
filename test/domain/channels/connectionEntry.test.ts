/** What an entry of a list of connections may be called. */
import { expect, it } from 'vitest'
import { readEntries } from '../../../src/domain/channels/connectionEntry.ts'
import { kinds } from '../../support/kinds.ts'

const faultsOf = async (entry: object) => (await readEntries([entry], kinds, [], { byPerson: false })).faults

it('a connection may have the name of another kind as its id: lists are older than some kinds', async () => {
  expect(await faultsOf({ id: 'gateway', kind: 'sandbox' })).toEqual([])
})

it('no other connection has the id of the sandbox, which test keys use', async () => {
  const fault = { path: [0, 'id'], fault: 'is reserved for a connection of that kind' }
  expect(await faultsOf({ id: 'sandbox', kind: 'gateway', token: 'a-long-token' })).toEqual([fault])
})
