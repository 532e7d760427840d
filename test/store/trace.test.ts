/** Traces are beside the work: what becomes of a message never hangs on them. */
import { expect, it } from 'vitest'
import { newUlid } from '../../src/kit/runtime.ts'
import { noTracing } from '../../src/kit/tracing.ts'
import { connect } from '../../src/store/engine/connect.ts'
import { traceMessages } from '../../src/store/sending/trace.ts'
import { createDatabase } from '../support/database.ts'

it('work on a message is done, also when the database does not say to which trace it belongs', async () => {
  const { settings, drop } = await createDatabase()
  const { reader, close } = await connect(settings)
  await close()
  const key = { accountId: 'acct_default', id: `req_${newUlid(new Date())}` }
  const inTrace = await traceMessages({ reader, tracing: { ...noTracing, isOn: true } }, [key])
  expect(await inTrace(key, { name: 'deliver' }, async () => 'delivered')).toBe('delivered')
  await drop()
})
