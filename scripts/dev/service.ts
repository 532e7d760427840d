/**
 * The service that `npm run dev` watches over, in a process that was started before it was needed. The packages that the
 * service uses do not change and are loaded at once. Told to `prepare`, it loads the code as it is then and opens
 * everything; told to `listen`, it takes the ports, which the one before it has let go by then.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../contract/redocly.ts'

/** What the service tells its supervisor. */
export type Told = { is: 'prepared'; unhandled: string[] } | ({ is: 'listening' } & Listening)

export interface Listening {
  url: string
  opsPort: number
  key: string
}

/** What its supervisor tells the service. */
export type Order = { do: 'prepare'; databaseUrl: string; secret: string } | { do: 'listen' }

/** Those parts of packages that are imported by a longer name and take long to load. */
const parts = ['libphonenumber-js/max']

let listen = async (): Promise<Listening> => Promise.reject(new Error('told to listen before it was prepared'))
let close = async () => {}

process.on('message', async (order: Order) => {
  try {
    if (order.do === 'listen') return tell({ is: 'listening', ...(await listen()) })
    tell({ is: 'prepared', unhandled: await prepare(order.databaseUrl, order.secret) })
  } catch (error) {
    await close()
    const { explain } = await import('../../src/process/explain.ts')
    process.stderr.write(`${explain(error) ?? (error instanceof Error ? error.stack : String(error))}\n`)
    process.exit(1)
  }
})
// Told to stop, or left alone.
process.once('disconnect', () => close().finally(() => process.exit(0)))
const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { dependencies: object }
await Promise.allSettled([...Object.keys(dependencies), ...parts].map((name) => import(name)))

async function prepare(databaseUrl: string, secret: string): Promise<string[]> {
  const [{ createApp }, { loadConfig }, { missingHandlers }, { operations }, { ownWire }, { visible }] =
    await Promise.all([
      import('../../src/app/app.ts'),
      import('../../src/settings/config.ts'),
      import('../../src/http/api/binding.ts'),
      import('../../src/http/api/operations/index.ts'),
      import('../../src/http/api/wire.ts'),
      import('../../src/kit/terminal.ts'),
    ])
  const settings = loadConfig(process.env, { role: 'sandbox' })
  const database = { kind: 'postgres', url: databaseUrl, connectionsMax: 10 } as const
  const onSandboxText = (phone: string, text: string) => process.stdout.write(`  [phone ${phone}] ${visible(text)}\n`)
  const app = await createApp({ ...settings, database, secrets: [secret] }, { drainMs: 0, onSandboxText })
  close = app.close
  listen = async () => {
    const { port, opsPort } = await app.listen({ api: true, worker: true })
    return { url: `http://${settings.host}:${port}`, opsPort: opsPort!, key: settings.sandboxKey! }
  }
  return missingHandlers(operations, ownWire)
}

function tell(told: Told): void {
  // The one who watches may have gone: then `disconnect` ends this process.
  process.send?.(told, () => {})
}
