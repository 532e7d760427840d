/** At the start, an operator is told what does not work without `PUBLIC_URL`: a move to another server can lose it. */
import type { Log } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import type { Admin } from './admin.ts'

export async function lookAfterAddress(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { connections, inlets }: Pick<Admin, 'connections' | 'inlets'>,
  log: Log,
): Promise<void> {
  if (publicUrl !== undefined) return
  const [telling, hasInlets] = await Promise.all([connections.findTelling(), inlets.haveAny()])
  if (telling) {
    const { accountId, id } = telling
    const text =
      'PUBLIC_URL is not set: providers of this connection and others like it do not know where to send delivery reports'
    log.warn({ account_id: accountId, connection: id }, text)
  }
  if (hasInlets) log.warn('PUBLIC_URL is not set: the service cannot say at which public address its inlets are')
}
