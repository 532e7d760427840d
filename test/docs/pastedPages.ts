/** The pages whose commands `pasted.test.ts` pastes, and what their readers bring with them. */

/** A place in a command, and what a reader writes there: a text, or what was printed last and is like that. */
export type Fill = readonly [place: string, value: string | RegExp]

interface Page {
  page: string
  /** The files that the page has its reader write: by words of the block that is written into each. */
  files?: Record<string, string>
  fill?: readonly Fill[]
  /** What is printed. */
  says: readonly RegExp[]
  /** What the last command shows as soon as it is there. */
  shows?: RegExp
}

const secretOfHook = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const secret = '0123456789abcdef0123456789abcdef'

/** In their order: the last ones go on with what the first ones have made. */
export const pages: readonly Page[] = [
  {
    page: 'docs/twilio.md',
    says: [/account SID +AC/, /"status":"pending"/, /"status":"approved"/],
    shows: /"text":"Your code is 000000"/,
  },
  {
    page: 'docs/auth/plain.md',
    says: [/Applied: trial/, /"success":true/],
    shows: /"text":"Your Acme code is 482913"/,
  },
  ...['authentik', 'logto', 'zitadel'].map((kind) => ({
    page: `docs/auth/${kind}.md`,
    files: { 'inlets.yaml': `kind: ${kind}` },
    says: [new RegExp(`https://otp\\.acme\\.com/inlets/acct_default/${kind}`)],
  })),
  {
    page: 'docs/auth/authgear.md',
    files: { 'inlets.yaml': 'kind: authgear' },
    fill: [['AUTHGEAR_SECRET=…', `AUTHGEAR_SECRET=${secret}`]],
    says: [/https:\/\/otp\.acme\.com\/inlets\/acct_default\/authgear/],
  },
  {
    page: 'docs/auth/supabase.md',
    files: { 'inlets.yaml': 'kind: supabase' },
    fill: [['whsec_…', secretOfHook]],
    says: [/https:\/\/otp\.acme\.com\/inlets\/acct_default\/supabase-prod/],
  },
  {
    page: 'docs/auth/kratos.md',
    says: [/ww_live_\w+/],
  },
  {
    page: 'docs/inlets.md',
    files: { 'inlets.yaml': 'kind: supabase' },
    fill: [[`\${SUPABASE_HOOK_SECRET}`, secretOfHook]],
    says: [/Nothing is wrong in inlets\.yaml/, /\/inlets\/acct_default\/supabase-prod/],
  },
  {
    page: 'docs/protection.md',
    says: [/Applied 11 record, 0 challenge, 0 block\./, /Live codes that default sent from/],
  },
  {
    page: 'docs/channels.md',
    files: { 'channels.yaml': 'access_token: simulated-telegram-token' },
    says: [/Applied: wa, tg\./, /"request_id":"req_/, /\}\{\}\[\{[^\]]+\}\]\{\}$/],
  },
  {
    page: 'docs/sms.md',
    files: { 'channels.yaml': 'simulated-auth-token' },
    // The page of channels has sent a code to the same phone within this minute.
    fill: [['+14155550200', '+14155550201']],
    says: [/"request_id":"req_/, /acme\.yaml is valid/],
  },
  {
    page: 'docs/notifications.md',
    files: { 'channels.yaml': 'simulated-auth-token', 'templates.yaml': 'order-shipped' },
    says: [
      ...[/Applied: wa, sms/, /Applied order-shipped/, /also_for +language/, /"places":\[{"part":"header"/],
      ...[
        /"status":"queued","template":{"slug":"order-shipped","version":1,"locale":"es"}/,
        /"reference":"order-A-18"/,
      ],
      ...[/"cancelled":true/, /sends notifications to this phone again/],
    ],
  },
  {
    page: 'docs/events.md',
    // The name of a host is looked up when its address is added.
    fill: [
      ['https://shop.example', 'http://127.0.0.1:9'],
      ['ep_…', /ep_[0-9A-Z]{26}/g],
    ],
    says: [/whsec_/],
  },
  {
    page: 'docs/operators.md',
    files: { 'templates.yaml': 'slug: order-shipped', 'wording.yaml': 'default: de' },
    fill: [
      ['key_…', /key_[0-9A-Z]{26}/g],
      ['req_01JD5M7Q8R9S0T1V2W3X4Y5Z6A', /req_01[0-9A-Z]{24}/g],
    ],
    says: [/ww_live_\w+/, /Revoked key_/, /^status +/m],
  },
]
