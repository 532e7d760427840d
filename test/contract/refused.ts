/** Callers who may send nothing, each of an account of its own. */
import { randomUUID } from 'node:crypto'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

export interface Refused {
  accountId: string
  key: string
}

interface Served {
  server: TestServer
}

/** A live key of an account that has nothing to send through. */
export function unconnected({ server }: Served): Promise<Refused> {
  return callerOfNewAccount(server, (id) => server.app.connections.apply(id, []))
}

/** Of one with a rule that blocks every send. */
export function blocked({ server }: Served): Promise<Refused> {
  return ruledBy('block', server)
}

/** Of one with a rule that requires a captcha for every send. */
export function challenged({ server }: Served): Promise<Refused> {
  return ruledBy('challenge', server)
}

function ruledBy(act: 'challenge' | 'block', server: TestServer): Promise<Refused> {
  const rules = [{ id: 'prefix-hour', by: 'country' as const, allow: ['DE'], do: act }]
  return callerOfNewAccount(server, (id) =>
    server.app.protections.apply(id, { rules, fail: 'open', budgets: [] }, 'a scenario'),
  )
}

/** Of one that has sent all that it may today. */
export async function outOfBudget({ server }: Served): Promise<Refused> {
  const caller = await callerOfNewAccount(server, (id) =>
    server.app.protections.apply(id, { rules: [], fail: 'open', budgets: [{ id: 'all', messages: 1 }] }),
  )
  await server.as(caller.key).send(newPhone())
  return caller
}

/** The phone of one who told the provider STOP when a notification came. */
export async function optedOutPhone({ server, key }: Served & { key: string }): Promise<string> {
  const send = async () => ({ kind: 'failed', code: 'opted_out', reason: 'STOP' }) as const
  const sandbox = { send, verify: () => false, parse: () => [] }
  const refusing = await startServer({ beside: server, overrides: { channels: { sandbox } } })
  const phone = newPhone()
  await refusing.as(key).post('/v1/notifications/send', { phone, template: 'welcome', variables: { name: 'Ada' } })
  await refusing.work()
  await refusing.close()
  return phone
}

export async function callerOfNewAccount(
  server: TestServer,
  prepare: (accountId: string) => Promise<unknown>,
): Promise<Refused> {
  const { id: accountId, name: account } = await server.app.accounts.create(`of a scenario ${randomUUID()}`)
  await server.app.templates.apply(accountId, [{ slug: 'welcome', text: 'Welcome, {{name}}!' }])
  await prepare(accountId)
  return { accountId, key: await server.key({ mode: 'live', account }) }
}
