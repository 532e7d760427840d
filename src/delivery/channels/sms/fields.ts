/** What people fill in for a provider of SMS: what its file declares, and what every provider has. */
import type { ConnectionField } from '../../../domain/channels/connectionField.ts'
import type { ProviderFile } from './providerFile.ts'
import { pairs } from './settings.ts'
import { findProvider, ownFileName, shippedNames } from './shipped.ts'

export function listSmsFields(entry: Readonly<Record<string, unknown>>): readonly ConnectionField[] {
  const { file } = findProvider(entry)
  const isShipped = typeof entry.provider === 'string' && shippedNames().includes(entry.provider)
  const hasOwn = entry.provider_file !== undefined || !isShipped
  const provider: ConnectionField = {
    name: 'provider',
    title: 'Provider',
    about: `One that ships with the service, or ${ownFileName} for a file of your own.`,
    ...{ first: true, leads: true },
    choices: namesWith(entry.provider).map(choiceOf),
  }
  const text: ConnectionField = {
    name: 'provider_file',
    title: 'Provider file',
    about: 'The text of a file of your own; empty for a provider that ships.',
    first: true,
    form: 'long',
    optional: true,
    leads: true,
  }
  return [provider, ...(hasOwn ? [text] : []), ...(file ? [...ownFields(file), ...commonFields(file)] : [])]
}

/** With the path of the file that the entry has. */
function namesWith(provider: unknown): string[] {
  const names = [...shippedNames(), ownFileName]
  return typeof provider === 'string' && !names.includes(provider) ? [...names, provider] : names
}

function ownFields(file: ProviderFile): ConnectionField[] {
  const listed = pairs(file)
  return Object.entries(file.settings).map(([name, { about, secret, optional, host, values }]) => ({
    name,
    title: titleOf(name),
    about: about === undefined ? `As ${file.title} calls it.` : `${sentence(about)}.`,
    ...(secret && { secret }),
    ...(optional && { optional }),
    ...(host && { leads: host }),
    ...(values && { choices: values.map(choiceOf) }),
    ...(listed.has(name) && { form: 'pair' as const }),
  }))
}

function commonFields({ title, settings }: ProviderFile): ConnectionField[] {
  return [
    ...('from' in settings
      ? [
          {
            name: 'from_by_country',
            title: 'Sender by country',
            about: 'Another sender for some countries, like DE: Acme.',
            form: 'map' as const,
            optional: true as const,
          },
        ]
      : []),
    {
      name: 'reports',
      title: 'Reports',
      about: 'Who confirms a delivery. Only a report of the phone keeps a code from going out by the next channel.',
      choices: [
        { value: 'handset', label: 'The phone: "delivered" means that it arrived' },
        { value: 'carrier', label: 'The carrier: "delivered" is shown, and not relied on' },
        { value: 'none', label: 'No one: this provider sends no reports' },
      ],
      standard: 'handset',
      optional: true,
    },
    {
      name: 'per_second',
      title: 'Messages in a second',
      about: 'At most, by all processes together.',
      form: 'number',
      optional: true,
    },
    ...('base_url' in settings
      ? []
      : [
          {
            name: 'base_url',
            title: 'Address of the API',
            about: `Only if you use a proxy or a simulator in place of ${title}. Without a slash at the end.`,
            optional: true as const,
            leads: true as const,
          },
        ]),
  ]
}

const choiceOf = (value: string) => ({ value, label: value })

/** `account_sid` is the Account SID. */
function titleOf(name: string): string {
  return sentence(name.replaceAll('_', ' ')).replace(/\b(api|id|sid|sms|url)\b/gi, (word) => word.toUpperCase())
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
