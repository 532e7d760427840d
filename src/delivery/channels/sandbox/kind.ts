/** The sandbox as a kind of connection: there is nothing to configure. */
import { z } from 'zod'
import type { Kind } from '../../channel.ts'

export const sandbox: Kind<Record<string, never>> = {
  settings: z.strictObject({}),
  secrets: [],
  isLocal: true,
  words: { title: 'Sandbox', carries: 'Codes and all notifications; only the sandbox phone shows them' },
  carries: () => true,
  open: () => {
    throw new Error('the sandbox is opened with the service, once for all connections')
  },
}
