/** Kinds of connections that are made up: what may be configured, without anybody to send through. */
import { z } from 'zod'
import type { ConnectionKinds } from '../../src/domain/channels/connectionEntry.ts'

export const kinds: ConnectionKinds = {
  sandbox: { settings: z.strictObject({}), fields: () => [], isLocal: true },
  gateway: {
    settings: z.strictObject({
      token: z.string().min(8, 'must have at least 8 characters'),
      app_secret: z
        .union([z.string(), z.array(z.string()).max(2)], { error: 'must be one, or a list of two' })
        .optional(),
      sender: z.strictObject({ name: z.string() }).optional(),
      per_second: z.int({ error: 'must be a whole number' }).default(80),
    }),
    fields: () => [
      { name: 'token', title: 'Token', about: 'From the gateway.', secret: true },
      { name: 'app_secret', title: 'App secret', about: 'Signs.', secret: true, form: 'pair', optional: true },
      { name: 'sender.name', title: 'Sender', about: 'Who it comes from.', optional: true },
      { name: 'per_second', title: 'A second', about: 'At most.', form: 'number', optional: true, standard: '80' },
    ],
    template: z.strictObject({
      name: z.string({ error: 'must be a text' }).min(1, 'must not be empty'),
      language: z.string({ error: 'must be a text' }),
      parameters: z.array(z.string()).default([]),
    }),
    templateVariables: (said) =>
      [(said as { parameters?: unknown }).parameters ?? []]
        .flat()
        .flatMap((name) => (typeof name === 'string' ? [{ path: ['parameters'], variable: name }] : [])),
  },
}
