/** The providers of SMS, each under a path of its own: what their files say is all that is known of them. */
import type { Incoming, Reply } from '../reply.ts'
import type { Wire } from '../wire.ts'
import { createProvider, type ProviderParts, type SimulatedProvider } from './provider.ts'

export interface SmsParts extends Omit<ProviderParts, 'file' | 'webhook'> {
  files: readonly ProviderParts['file'][]
  /** Where the reports of a provider go that is told of no address. */
  webhookOf: (provider: string) => string | undefined
}

/** Before the path that the provider itself has. */
export function pathOf(provider: string): string {
  return `/sms/${provider}`
}

export interface SmsWire extends Wire {
  providers: ReadonlyMap<string, SimulatedProvider>
}

export function createSms({ files, webhookOf, ...parts }: SmsParts): SmsWire {
  const providers = new Map(
    files.map((file) => [file.provider, createProvider({ ...parts, file, webhook: () => webhookOf(file.provider) })]),
  )
  return {
    providers,
    answer: (incoming) => {
      const [, name = '', path = ''] = /^\/sms\/([a-z0-9_-]+)(\/.*)$/.exec(incoming.path) ?? []
      const provider = providers.get(name)
      return provider && (provider.answer({ ...incoming, path }) ?? unknown(name, incoming))
    },
    report: (message, change) =>
      providers.get(message.provider ?? '')?.report(message, change) ?? Promise.resolve(undefined),
    reply: (message, text) => providers.get(message.provider ?? '')?.reply(message, text) ?? Promise.resolve(undefined),
  }
}

function unknown(provider: string, { method }: Incoming): Reply {
  return { status: 404, value: { error: `The file of ${provider} asks nothing like this by ${method}.` } }
}
