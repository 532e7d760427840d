/** What people fill in for a connection to WhatsApp. */
import type { ConnectionField } from '../../../domain/channels/connectionField.ts'

/** What counts when it is left out. */
export const standards = { graphVersion: 'v23.0', perSecond: 80, baseUrl: 'https://graph.facebook.com' } as const

export const fields: readonly ConnectionField[] = [
  {
    name: 'phone_number_id',
    title: 'Phone number ID',
    about: 'From the app at Meta, under WhatsApp, API Setup. It is not the number itself.',
    example: '106540352242922',
  },
  {
    name: 'business_account_id',
    title: 'WhatsApp Business Account ID',
    about: 'From the same page.',
    example: '102290129340398',
  },
  {
    name: 'access_token',
    title: 'Access token',
    about: 'Of a system user of your business portfolio. Make one that never expires.',
    secret: true,
  },
  {
    name: 'app_secret',
    title: 'App secret',
    about: 'From the app, under App settings, Basic. It signs the reports.',
    secret: true,
    form: 'pair',
  },
  {
    name: 'verify_token',
    title: 'Verify token',
    about: 'A word that you choose. Enter the same word at Meta, beside the callback URL.',
    secret: true,
  },
  {
    name: 'code_template.name',
    title: 'Template for codes',
    about: 'Its name in WhatsApp Manager.',
    example: 'auth_copy_code',
  },
  {
    name: 'code_template.language',
    title: 'Languages of that template',
    about: 'As WhatsApp writes them: en, en_US, ar. The first is for people whose language is not among them.',
    example: 'en_US',
    form: 'list',
  },
  {
    name: 'graph_version',
    title: 'Version of Meta’s API',
    about: 'Like v23.0.',
    optional: true,
    standard: standards.graphVersion,
  },
  {
    name: 'per_second',
    title: 'Messages in a second',
    about: 'At most, by all processes together. Raise it when Meta has raised your limit.',
    optional: true,
    standard: String(standards.perSecond),
    form: 'number',
  },
  {
    name: 'base_url',
    title: 'Address of the API',
    about: 'Only if you use a proxy or a simulator. Without a slash at the end.',
    optional: true,
    standard: standards.baseUrl,
    leads: true,
  },
]
