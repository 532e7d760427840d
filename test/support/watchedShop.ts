/** Accounts with a template at the simulated Meta, and the hourly look at it. */
import { sql } from 'drizzle-orm'
import { listenTo } from './listening.ts'
import { newPhone } from './server.ts'
import { type createSimulation, type Entry, smsEntry } from './simulation.ts'

type Simulation = ReturnType<typeof createSimulation>
/** What a preview says of a channel. */
interface Considered {
  channel: string
  reason?: string
}

let shops = 0

/**
 * An account whose template `shipped` is sent by WhatsApp, and by SMS where that does not carry it.
 *
 * @param options.whatsapp more of the entry of `wa-eu`
 * @param options.others the connections behind that
 */
export async function openShop(simulation: Simulation, options: { whatsapp?: object; others?: Entry[] } = {}) {
  const { server, simulator } = simulation
  const name = `order_shipped_${++shops}`
  simulator.putTemplate({ name, body: 'Order {{1}} is on its way.' })
  const { others = [smsEntry(simulator)] } = options
  const whatsapp = simulation.whatsapp(options.whatsapp)
  const account = await simulation.accountWith(whatsapp, ...others)
  const { accountId, live } = account
  const said = { name, language: 'en_US', parameters: ['order'] }
  const template = { slug: 'shipped', text: 'Order {{order}} is on its way.', channels: { whatsapp: said } }
  await server.app.templates.apply(accountId, [template])
  const listening = await listenTo(server, { accountId, mode: 'live', types: ['template.unusable'] })
  return {
    ...account,
    name,
    template,
    said,
    listening,
    /** Changes settings of `wa-eu`. */
    changeChannel: (more: object) => server.app.connections.apply(accountId, [{ ...whatsapp, ...more }, ...others]),
    /** The connections that a message takes, the first one first. */
    route: async (more: object = {}) => {
      const body = { phone: newPhone(), template: 'shipped', variables: { order: 'A-1' }, ...more }
      const { data } = await live.post<{ request_id: string }>('/v1/notifications/send', body)
      const [found] = await server.query<{ route: string[] }>(
        sql`select route from message where id = ${data.request_id}`,
      )
      return found?.route.join(' ')
    },
    preview: async () => {
      const body = { phone: newPhone(), template: 'shipped', variables: { order: 'A-1' } }
      const { data } = await live.post<{ channels: Considered[] }>('/v1/notifications/preview', body)
      return data.channels.map(({ channel, reason }) => (reason ? `${channel}: ${reason}` : channel))
    },
    troubles: async () => {
      const found = await server.app.troubles.find({ accountId, mode: 'live' })
      return found.flatMap((one) =>
        one.kind === 'template_unusable' ? [`${one.id} ${one.connection}: ${one.text}`] : [],
      )
    },
    /** The reasons that endpoints were told. */
    told: async () => {
      await server.work()
      return listening.events().flatMap(({ type, data }) => (type === 'template.unusable' ? [data.reason] : []))
    },
  }
}

/** Has each connection's turn come once. */
export async function lookForAnHour({ server }: Pick<Simulation, 'server'>): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    server.runtime.advance(300)
    await server.query(sql`insert into pgboss.job (name, policy) values ('template-watch', 'standard')`)
    await server.runJobs()
  }
}
