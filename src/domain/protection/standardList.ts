/**
 * The list of an account that has none of its own. It records, and stops nothing. Sources: Authgear's fraud protection
 * (country, ip), Vonage's and Twilio's advice on conversion and on numbers that count up (prefix), GitLab's on kinds of numbers.
 */
import { type ProtectionRule, ruleList, type WrittenRule } from './rule.ts'

/**
 * Unverified codes that a country, a prefix or an address must have before a rule acts on it: with fewer, no single person can close
 * it for others.
 */
const unverifiedMin = 30
/** Half of the people who ask for a code type it in, also where a service has just begun: SMS that arrive convert at 70 % and more. */
const lowConversion = 0.5
/** Whether a country converts as it usually does, can be told once it has had codes for so long. */
const untilHistory = { conversion_under: lowConversion, without_history: '7d' }

const written: WrittenRule[] = [
  {
    id: 'kind',
    by: 'number_kind',
    kinds: ['premium_rate', 'shared_cost', 'toll_free', 'pager', 'uan', 'voicemail'],
    record_kinds: ['fixed_line', 'voip'],
    do: 'record',
  },
  { id: 'countries', by: 'country', allow: 'all', do: 'record' },
  {
    id: 'country-day',
    by: 'country',
    count: 'unverified',
    window: '24h',
    settles: '2m',
    over: { constant: unverifiedMin, verified: 0.3, max14d: 0.3 },
    when: untilHistory,
    do: 'record',
  },
  {
    id: 'country-hour',
    by: 'country',
    count: 'unverified',
    window: '1h',
    settles: '2m',
    over: { constant: unverifiedMin, verified: 0.4, max14d: { times: 0.2, per: 6 } },
    when: untilHistory,
    do: 'record',
  },
  {
    id: 'country-burst',
    by: 'country',
    count: 'sends',
    window: '10m',
    over: { constant: 150, verified: 4, max14d: 0.1 },
    do: 'record',
  },
  {
    id: 'prefix-hour',
    by: 'prefix',
    count: 'unverified',
    window: '1h',
    over: { constant: unverifiedMin },
    when: { conversion_under: 0.2 },
    do: 'record',
  },
  { id: 'sequence', by: 'prefix', count: 'numbers', within: 20, window: '10m', over: { constant: 3 }, do: 'record' },
  {
    id: 'ip-hour',
    by: 'ip',
    count: 'unverified',
    window: '1h',
    over: { constant: unverifiedMin, verified: { times: 0.2, per: 6, window: '24h' } },
    when: { conversion_under: lowConversion },
    do: 'record',
  },
  {
    id: 'ip-day',
    by: 'ip',
    count: 'unverified',
    window: '24h',
    over: { constant: unverifiedMin, verified: 0.3 },
    when: { conversion_under: lowConversion },
    do: 'record',
  },
  {
    id: 'ip-countries',
    by: 'ip',
    count: 'countries',
    window: '24h',
    over: { constant: 3 },
    when: { sends_over: unverifiedMin },
    do: 'record',
  },
  { id: 'user-day', by: 'user', count: 'sends', window: '24h', over: { constant: 10 }, do: 'record' },
]

export const standardList: readonly ProtectionRule[] = ruleList.parse(written)
