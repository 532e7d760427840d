/** `protection.yaml`: what can be written, and what is said of what cannot. */
import { describe, expect, it } from 'vitest'
import {
  givenByFile,
  type ProtectionFile,
  readProtectionFile,
  writeProtectionFile,
} from '../../../src/domain/protection/protectionFile.ts'
import { type ProtectionRule, writtenRule } from '../../../src/domain/protection/rule.ts'
import { standardList } from '../../../src/domain/protection/standardList.ts'
import { textOfFault } from '../../../src/kit/reading/formFaults.ts'
import { blocksOf, pageOf } from '../../support/docs.ts'

const faultsIn = (text: string) => readProtectionFile(text).faults?.map((fault) => textOfFault(fault, 'p.yaml'))

const full = `- id: prefix-hour
  by: prefix
  count: unverified
  window: 1h
  over: { constant: 5, verified: 0.3, max14d: 0.2 }
  when: { conversion_under: 0.2 }
  do: record
  except: { countries: [DE], networks: [10.0.0.0/8], phones: ["+4930*"] }
`

const budgeted = `rules: []
budgets:
  - id: all
    messages: 5000
  - id: dach
    countries: [de, AT]
    messages: 100
    money: 12.10 EUR
`

describe('a file of rules', () => {
  it('is read as it is written, and written as it is read', () => {
    const { rules } = readProtectionFile(full)
    const fileOf = (list: readonly ProtectionRule[]) =>
      writeProtectionFile({ rules: list.map(writtenRule), fail: 'open', budgets: [] })
    expect(rules).toEqual([
      {
        ...{ id: 'prefix-hour', by: 'prefix', count: 'unverified', window: 3600, do: 'record' },
        ...{ over: { constant: 5, verified: 0.3, max14d: 0.2 }, when: { conversion_under: 0.2 } },
        except: { countries: ['DE'], networks: ['10.0.0.0/8'], phones: ['+4930*'] },
      },
    ])
    for (const list of [rules!, standardList]) {
      expect(readProtectionFile(fileOf(list)).rules).toEqual(list)
    }
  })

  it('may have budgets, which are read with exact amounts, and written again', () => {
    const read = readProtectionFile(budgeted) as ProtectionFile
    expect(read).toEqual({
      rules: [],
      fail: 'open',
      budgets: [
        { id: 'all', messages: 5000 },
        { id: 'dach', countries: ['DE', 'AT'], messages: 100, money: { amount: '12.10', currency: 'EUR' } },
      ],
    })
    const text = writeProtectionFile(givenByFile(read))
    expect(text).toContain('    money: 12.10 EUR\n')
    expect(readProtectionFile(text)).toEqual(read)
  })

  it('may have no rules at all', () => {
    expect(readProtectionFile('[]').rules).toEqual([])
  })

  it.each([
    ['nothing', '', 'p.yaml:1: must be a list'],
    ['no list', 'id: x', 'p.yaml:1: rules: is missing'],
    [
      'a member that is not known',
      full.replace('  do: record', '  due: record\n  do: record'),
      'p.yaml:7: entry 1, due: is not known',
    ],
    [
      'another thing to look at',
      full.replace('by: prefix', 'by: moon'),
      'p.yaml:2: entry 1, by: must be one of country,',
    ],
    [
      'another act',
      full.replace('do: record', 'do: explode'),
      'p.yaml:7: entry 1, do: must be record, challenge or block',
    ],
    ['no act', full.replace('  do: record\n', ''), 'p.yaml:1: entry 1, do: is missing'],
    [
      'a window that is too long',
      full.replace('1h', '25h'),
      'p.yaml:4: entry 1, window: must be a length of time from 1m to 24h',
    ],
    ['a window that is no text', full.replace('1h', '60'), 'p.yaml:4: entry 1, window: must be a length of time'],
    ['no window', full.replace('  window: 1h\n', ''), 'p.yaml:1: entry 1, window: is missing'],
    [
      'a threshold that is not a number',
      full.replace('constant: 5', 'constant: many'),
      'p.yaml:5: entry 1, over.constant: must be a number',
    ],
    [
      'a threshold below nothing',
      full.replace('constant: 5', 'constant: -1'),
      'p.yaml:5: entry 1, over.constant: must not be below 0',
    ],
    ['no constant', full.replace('constant: 5, ', ''), 'p.yaml:5: entry 1, over.constant: is missing'],
    [
      'a part of another form',
      full.replace('verified: 0.3', 'verified: { times: 0.3, by: 6 }'),
      'p.yaml:5: entry 1, over.verified.by: is not known',
    ],
    [
      'a conversion of more than all',
      full.replace('0.2 }\n  do', '2 }\n  do'),
      'p.yaml:6: entry 1, when.conversion_under: must be at most 1',
    ],
    [
      'codes that settle where they are not counted by the minute',
      full.replace('window: 1h', 'window: 1h\n  settles: 2m'),
      'p.yaml:5: entry 1, settles: goes with by: country and count: unverified',
    ],
    [
      'codes that take a day to settle',
      full.replace('window: 1h', 'window: 1h\n  settles: 24h').replace('by: prefix', 'by: country'),
      'p.yaml:5: entry 1, settles: must be a length of time from 1m to 1h, like 2m',
    ],
    [
      'a history of a month',
      full.replace('0.2 }\n  do', '0.2, without_history: 30d }\n  do'),
      'p.yaml:6: entry 1, when.without_history: must be a length of time from 1d to 14d, like 7d',
    ],
    [
      'a history without a conversion',
      full.replace('conversion_under: 0.2', 'without_history: 7d'),
      'p.yaml:6: entry 1, when.without_history: goes with conversion_under',
    ],
    [
      'a country that is none',
      full.replace('[DE]', '[XX]'),
      'p.yaml:8: entry 1, except.countries, entry 1: must be a two-letter country code',
    ],
    [
      'a network that is none',
      full.replace('10.0.0.0/8', '10.0.0.0/99'),
      'p.yaml:8: entry 1, except.networks, entry 1: must be a network like',
    ],
    [
      'a star within a number',
      full.replace('+4930*', '+49*30'),
      'p.yaml:8: entry 1, except.phones, entry 1: must be a number like',
    ],
    [
      'an expression for numbers',
      full.replace('+4930*', '(a+)+$'),
      'p.yaml:8: entry 1, except.phones, entry 1: must be a number like',
    ],
    ['an id twice', full + full, 'p.yaml:9: entry 2, id: is there twice'],
    [
      'an id that is no word',
      full.replace('id: prefix-hour', 'id: ../x'),
      'p.yaml:1: entry 1, id: must be 1 to 32 lower-case letters',
    ],
    [
      'neighbours of no numbers',
      full.replace('by: prefix', 'within: 3\n  by: prefix'),
      'p.yaml:2: entry 1, within: goes with by: prefix and count: numbers',
    ],
    [
      'a history of distinct numbers',
      full.replace('count: unverified', 'count: numbers'),
      'p.yaml:5: entry 1, over.verified: goes with count',
    ],
    [
      'countries of one country',
      full.replace('by: prefix', 'by: country').replace('unverified', 'countries'),
      'p.yaml:3: entry 1, count: is always one',
    ],
    [
      'a list of kinds that counts',
      full.replace('do: record', 'kinds: [pager]\n  do: record'),
      'p.yaml:3: entry 1, count: does not go with',
    ],
    [
      'a kind that is none',
      '- { id: k, by: number_kind, kinds: [yacht], do: block }',
      'p.yaml:1: entry 1, kinds, entry 1: must be one of mobile,',
    ],
    [
      'an allow list of addresses',
      '- { id: a, by: ip, allow: [DE], do: block }',
      'p.yaml:1: entry 1, allow: goes with by: country',
    ],
    ['no list of budgets', 'rules: []\nbudgets: all', 'p.yaml:2: budgets: must be a list of budgets'],
    ['a budget without rules', budgeted.replace('rules: []\n', ''), 'p.yaml:1: rules: is missing'],
    ['a budget of nothing', budgeted.replace('5000', '0'), 'p.yaml:4: budgets, entry 1, messages: must be at least 1'],
    ['half a message', budgeted.replace('5000', '0.5'), 'p.yaml:4: budgets, entry 1, messages: must be a whole number'],
    [
      'a budget without end',
      budgeted.replace('5000', '.inf'),
      'p.yaml:4: budgets, entry 1, messages: must be a whole number',
    ],
    [
      'more messages than are counted',
      budgeted.replace('5000', '1000000001'),
      'p.yaml:4: budgets, entry 1, messages: must be',
    ],
    [
      'a budget of no kind',
      budgeted.replace('    messages: 5000\n', ''),
      'p.yaml:3: budgets, entry 1, messages: is missing',
    ],
    [
      'money that is a number',
      budgeted.replace('12.10 EUR', '12.10'),
      'p.yaml:8: budgets, entry 2, money: must be an amount',
    ],
    ['money that is none', budgeted.replace('12.10', '0.00'), 'p.yaml:8: budgets, entry 2, money: must be an amount'],
    ['money below nothing', budgeted.replace('12.10', '-1'), 'p.yaml:8: budgets, entry 2, money: must be an amount'],
    ['money of no country', budgeted.replace('EUR', 'XYZ'), 'p.yaml:8: budgets, entry 2, money: must be an amount'],
    [
      'a budget for no country',
      budgeted.replace('AT', 'XX'),
      'p.yaml:6: budgets, entry 2, countries, entry 2: must be a two-letter',
    ],
    [
      'a budget with what is not known',
      budgeted.replace('messages: 100', 'hour: 5'),
      'p.yaml:7: budgets, entry 2, hour: is not',
    ],
    ['a budget twice', budgeted.replace('dach', 'all'), 'p.yaml:5: budgets, entry 2, id: is there twice'],
    ['an alias', '- &a { id: x }\n- *a', 'p.yaml:1: entry 1: must not have an anchor'],
    [
      'the prototype of all',
      '- { __proto__: { do: record } }',
      'p.yaml:1: entry 1: has a member whose name is not allowed',
    ],
    ['YAML that is none', '- id: [', 'p.yaml:1: is no YAML'],
  ])('is refused with its line when it has %s', (_what, text, fault) => {
    expect(faultsIn(text)?.[0]).toContain(fault)
  })

  it('is good as the page shows it, which keeps the standard rules beside budgets', () => {
    const blocks = blocksOf('yaml', pageOf('docs/protection.md'))
    expect(blocks.flatMap((block) => faultsIn(block) ?? [])).toEqual([])
    const shown = blocks.map(readProtectionFile).find((read) => read.rules && read.budgets.length > 0)
    expect(shown?.rules).toEqual(standardList.slice(0, 1))
  })

  it('names all that is wrong at once, in the order of the lines', () => {
    const bad = full.replace('prefix\n', 'moon\n').replace('1h', 'long').replace('record', 'explode')
    expect(faultsIn(bad)?.map((fault) => fault.slice(0, 8))).toEqual(['p.yaml:2', 'p.yaml:4', 'p.yaml:7'])
  })

  it('is bounded: its size, its depth, and how many rules it has', () => {
    expect(faultsIn('#'.repeat(65 * 1024))?.[0]).toContain('is longer than 64 KB')
    expect(faultsIn(`${'['.repeat(5000)}`)?.[0]).toContain('too many members')
    const many = Array.from({ length: 51 }, (_, index) => `- { id: r${index}, by: country, allow: all, do: record }`)
    expect(faultsIn(many.join('\n'))?.[0]).toContain('must have at most 50 rules')
  })

  it('never has its own words repeated', () => {
    const secret = full.replace('do: record', 'do: hunter2').replace('[DE]', '[hunter2]').replace('1h', 'hunter2')
    expect(faultsIn(secret)?.join()).not.toContain('hunter2')
  })
})
