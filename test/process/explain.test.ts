import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { explain } from '../../src/process/explain.ts'
import { makeFolder } from '../../src/store/engine/disk.ts'
import { ConnectionFailed, TakesNoWrites } from '../../src/store/engine/failure.ts'

/** Those of a server that listens there. */
const faultAt = (host: string) =>
  new Promise((resolve) => {
    createServer().on('error', resolve).listen(0, host)
  })

it.skipIf(process.platform !== 'linux')('a data folder where nobody can make one is refused', async () => {
  const fault = await makeFolder('/proc/watchword/data').catch((error: unknown) => error)
  expect(explain(fault)).toBe(
    'The data folder cannot be used (ENOENT). Set DATA_DIR to a folder that this user may write.',
  )
})

it('an operator who names a standby is told so, not that the database is away', () => {
  const failure = new ConnectionFailed('no connection', { cause: new TakesNoWrites('standby') })
  expect(explain(failure)).toMatch(/^The database takes no writes: it is a standby\. Name its primary/)
})

it('an operator whose database is full or takes too long is told so, not that it is away', () => {
  const told = (code: string) => explain(Object.assign(new Error('refused'), { code }))
  expect(told('53100')).toMatch(/^The disk of the database is full\./)
  expect(told('57014')).toMatch(/^The database took too long for this/)
  expect(told('57P01')).toMatch(/^The database cannot be reached\./)
})

describe('an operator whose process cannot listen is told what to set', () => {
  it('because the machine does not have the address', async () => {
    // From the addresses that are kept for documentation (RFC 5737): no machine has them.
    expect(explain(await faultAt('192.0.2.1'))).toBe(
      'This machine does not have the address 192.0.2.1. Set HOST, DASHBOARD_HOST or OPS_HOST to one that it has.',
    )
  })

  it('because nobody knows the name', async () => {
    // From the names that are kept for that (RFC 6761).
    expect(explain(await faultAt('no.such.host.invalid'))).toMatch(
      /^The address of no\.such\.host\.invalid is not known\./,
    )
  })

  it('because the user may not use the port', () => {
    // Made by hand: root may use every port.
    const error = Object.assign(new Error('listen'), { code: 'EACCES', syscall: 'listen', port: 80 })
    expect(explain(error)).toBe('This user may not use port 80. Set PORT, DASHBOARD_PORT and OPS_PORT to 1024 or more.')
  })
})
