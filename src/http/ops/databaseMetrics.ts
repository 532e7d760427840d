/**
 * Whether the database is there, and connections to it: of this process by the names of OpenTelemetry's semantic conventions,
 * and of the server.
 */
import { Gauge, type Registry } from 'prom-client'

export interface DatabaseFigures {
  /** Undefined: there are none, the database is in this process. */
  pool: () => { used: number; idle: number; pending: number; max: number } | undefined
  /** Of the server, everybody's. */
  server: () => Promise<{ used: number; max: number } | undefined>
  /** Resolves when this process can work with it. */
  check: () => Promise<void>
}

const pool = { db_client_connection_pool_name: 'watchword' }

export function measureDatabase(registers: Registry[], database: DatabaseFigures): void {
  new Gauge({
    name: 'watchword_database_up',
    help: 'Whether the database answers in time, takes writes, and is one that this version works with (1), or not (0).',
    // Requests go to each process in turn, also to the one that does not reach it.
    aggregator: 'min',
    registers,
    async collect() {
      const up = await database.check().then(
        () => true,
        () => false,
      )
      this.set(up ? 1 : 0)
    },
  })
  new Gauge({
    name: 'db_client_connection_count',
    help: "Connections of this process's pool, by state.",
    labelNames: ['db_client_connection_pool_name', 'db_client_connection_state'],
    registers,
    collect() {
      const { used, idle } = database.pool() ?? {}
      if (used !== undefined) this.set({ ...pool, db_client_connection_state: 'used' }, used)
      if (idle !== undefined) this.set({ ...pool, db_client_connection_state: 'idle' }, idle)
    },
  })
  const ofPool = (name: string, help: string, member: 'max' | 'pending') =>
    new Gauge({
      name,
      help,
      labelNames: ['db_client_connection_pool_name'],
      registers,
      collect() {
        const value = database.pool()?.[member]
        if (value !== undefined) this.set(pool, value)
      },
    })
  ofPool('db_client_connection_max', "Connections that this process's pool may have.", 'max')
  ofPool('db_client_connection_pending_requests', 'How many wait for a connection of the pool.', 'pending')
  new Gauge({
    name: 'watchword_database_server_connections',
    help: "Connections of the database's server, of all its users: those open (used), and those it lets in (max).",
    // Each process has asked the same server.
    aggregator: 'max',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      const { used, max } = (await database.server().catch(() => undefined)) ?? {}
      if (used !== undefined) this.set({ state: 'used' }, used)
      if (max !== undefined) this.set({ state: 'max' }, max)
    },
  })
}
