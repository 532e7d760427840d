/**
 * The list of an account that has none of its own. It records, and stops nothing. Sources: Authgear's fraud protection
 * (country, ip), Vonage's and Twilio's advice on conversion and on numbers that count up (prefix), GitLab's on kinds of numbers.
 */
import { type ProtectionRule, ruleList, type WrittenRule } from './rule.ts'

/** Countries to which made-up numbers are sent most, by what is published of such bills. */
const countriesOfRisk = [
  ...['DZ', 'AZ', 'BD', 'BY', 'BJ', 'EG', 'SV', 'GH', 'KZ', 'KG', 'LA', 'MV', 'MM', 'NG', 'PK', 'RU', 'LK', 'SD', 'SY'],
  ...['TJ', 'AE', 'UZ', 'BH', 'IR', 'IQ', 'IL', 'JO', 'KW', 'LB', 'OM', 'QA', 'SA', 'YE', 'AM', 'KM', 'GE', 'ID', 'TT'],
]

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
    over: { constant: 20, verified: 0.3, max14d: 0.3 },
    do: 'record',
  },
  {
    id: 'country-hour',
    by: 'country',
    count: 'unverified',
    window: '1h',
    over: { constant: 3, verified: 0.2, max14d: { times: 0.2, per: 6 } },
    do: 'record',
  },
  {
    id: 'country-burst',
    by: 'country',
    count: 'sends',
    window: '10m',
    over: { constant: 30 },
    when: { never_verified: true },
    only: { countries: countriesOfRisk },
    do: 'record',
  },
  {
    id: 'prefix-hour',
    by: 'prefix',
    count: 'unverified',
    window: '1h',
    over: { constant: 5 },
    when: { conversion_under: 0.2 },
    do: 'record',
  },
  { id: 'sequence', by: 'prefix', count: 'numbers', within: 20, window: '10m', over: { constant: 3 }, do: 'record' },
  {
    id: 'ip-hour',
    by: 'ip',
    count: 'unverified',
    window: '1h',
    over: { constant: 5, verified: { times: 0.2, per: 6, window: '24h' } },
    do: 'record',
  },
  {
    id: 'ip-day',
    by: 'ip',
    count: 'unverified',
    window: '24h',
    over: { constant: 10, verified: 0.3 },
    do: 'record',
  },
  { id: 'ip-countries', by: 'ip', count: 'countries', window: '24h', over: { constant: 3 }, do: 'record' },
  { id: 'user-day', by: 'user', count: 'sends', window: '24h', over: { constant: 10 }, do: 'record' },
]

export const standardList: readonly ProtectionRule[] = ruleList.parse(written)
